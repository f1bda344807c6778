package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
)

// ErrAltered means that a database has a table, index, view or trigger that the arena did not make, or lacks
// one that it made. SQLite would execute what somebody else has written there, as a part of our statements.
var ErrAltered = errors.New("its schema is not the arena's")

// object is a table, index, view or trigger, as SQLite lists it.
type object struct{ kind, name, table, statement string }

// checkObjects returns ErrAltered unless the database has the objects that the migrations up to a version make.
// Until then only PRAGMA statements and the table sqlite_schema are what they seem to be: every other name,
// pragma_user_version for one, may be that of a view.
func checkObjects(ctx context.Context, tx *sql.Tx, version int) error {
	made, optional, err := madeObjects(ctx, version)
	if err != nil {
		return fmt.Errorf("making schema %d in memory: %w", version, err)
	}
	err = eachObject(ctx, tx, func(found object) error {
		at := slices.Index(made, found)
		if at < 0 && !slices.Contains(optional, found) {
			return found.explain(made)
		}
		if at >= 0 {
			made = slices.Delete(made, at, at+1)
		}
		return nil
	})
	if err == nil && len(made) > 0 {
		err = fmt.Errorf("%w: the %s %q is missing: restore a backup", ErrAltered, made[0].kind, made[0].name)
	}
	return err
}

// explain returns what is wrong with an object that is not among those made by the arena.
func (o object) explain(made []object) error {
	for _, m := range made {
		if m.kind == o.kind && m.name == o.name {
			return fmt.Errorf("%w: the %s %q was changed: restore a backup", ErrAltered, o.kind, o.name)
		}
	}
	return fmt.Errorf("%w: the %.20s %.100q was added: drop it with the program sqlite3, or restore a backup", ErrAltered, o.kind, o.name)
}

// madeObjects returns the objects that the migrations up to a version make, and those that SQLite itself adds when
// somebody lets it ANALYZE the database.
func madeObjects(ctx context.Context, version int) (made, optional []object, err error) {
	steps, err := migrations()
	if err != nil {
		return nil, nil, err
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, nil, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection has a database of its own
	err = within(ctx, db, nil, func(tx *sql.Tx) error {
		for i, statements := range steps[:version] {
			if err := apply(ctx, tx, statements, i+1); err != nil {
				return err
			}
		}
		if made, err = allObjects(ctx, tx); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `ANALYZE`); err != nil {
			return err
		}
		optional, err = allObjects(ctx, tx)
		return err
	})
	return made, optional, err
}

func allObjects(ctx context.Context, tx *sql.Tx) (all []object, err error) {
	err = eachObject(ctx, tx, func(o object) error {
		all = append(all, o)
		return nil
	})
	return all, err
}

// eachObject calls each with every object. Indexes that belong to a table's constraints have no statement.
func eachObject(ctx context.Context, tx *sql.Tx, each func(object) error) error {
	return queryEach(ctx, tx, func(row *sql.Rows) error {
		var o object
		if err := row.Scan(&o.kind, &o.name, &o.table, &o.statement); err != nil {
			return err
		}
		return each(o)
	}, `SELECT coalesce(type, ''), coalesce(name, ''), coalesce(tbl_name, ''), coalesce(sql, '') FROM sqlite_schema`)
}
