package record

// The forms of records in JSON. Tests compare their schemas.
type (
	RecordForm   = recordForm
	SearchForm   = searchForm
	RootMoveForm = rootMoveForm
	PauseForm    = pauseForm
	SixDigits    = sixDigits
)
