// Package attempt tells how a client library's behaviours went: one line of JSON each, on stdout.
package attempt

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// Far more than any behaviour takes on a slow machine.
const patience = 2 * time.Minute

type outcome struct {
	Behaviour string `json:"behaviour"`
	Error     string `json:"error,omitempty"`
}

// Behaviour tries one of them and tells its outcome. A behaviour is named as a user would say what the client does.
func Behaviour(name string, try func(ctx context.Context) error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	told := outcome{Behaviour: name}
	if err := recovering(ctx, try); err != nil {
		told.Error = err.Error()
	}
	if err := json.NewEncoder(os.Stdout).Encode(told); err != nil {
		panic(err)
	}
}

func recovering(ctx context.Context, try func(ctx context.Context) error) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v", fault)
		}
	}()
	return try(ctx)
}

// Eventually looks again and again until it holds, or the context ends.
func Eventually(ctx context.Context, what string, holds func() (bool, error)) error {
	for {
		if good, err := holds(); err != nil || good {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: not in time", what)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Equal tells where two values are not the same, by their Go syntax.
func Equal(what string, got, want any) error {
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
		return fmt.Errorf("%s is %s, and not %s", what, g, w)
	}
	return nil
}

// First gives the first error there is.
func First(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
