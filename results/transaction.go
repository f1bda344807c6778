package results

import (
	"context"
	"database/sql"
)

// update calls do in a transaction that writes.
func (s *Store) update(ctx context.Context, do func(*sql.Tx) error) error {
	return within(ctx, s.write, nil, do)
}

// view calls do in a transaction that sees the database as it is at one moment.
func (s *Store) view(ctx context.Context, do func(*sql.Tx) error) error {
	return within(ctx, s.read, &sql.TxOptions{ReadOnly: true}, do)
}

// within calls do in a transaction, which is committed unless do fails.
func within(ctx context.Context, db *sql.DB, options *sql.TxOptions, do func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, options)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		_ = tx.Rollback() // the error above is the one to tell
		return err
	}
	return tx.Commit()
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, statement string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, statement string, args ...any) *sql.Row
}

// query collects the rows of a query.
func query[T any](ctx context.Context, db querier, scan func(*sql.Rows) (T, error), statement string, args ...any) ([]T, error) {
	var all []T
	err := queryEach(ctx, db, func(rows *sql.Rows) error {
		value, err := scan(rows)
		all = append(all, value)
		return err
	}, statement, args...)
	return all, err
}

// queryEach calls each at every row of a query.
func queryEach(ctx context.Context, db querier, each func(*sql.Rows) error, statement string, args ...any) error {
	rows, err := db.QueryContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
