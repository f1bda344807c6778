package record

// The forms of records in JSON, whose schemas tests compare.
type (
	RecordForm   = recordForm
	SearchForm   = searchForm
	RootMoveForm = rootMoveForm
	PauseForm    = pauseForm
	SixDigits    = sixDigits
)
