package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func verdict(t *testing.T, lines ...string) int {
	t.Helper()
	path := filepath.Join(t.TempDir(), "history.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return run(path, time.Minute, "")
}

const (
	put1     = `{"client":1,"row":"r","start":1,"end":2,"input":{"steps":[{"kind":"put","column":"f:n","value":"1"}]},"output":{"applied":true}}`
	wiped    = `{"client":2,"row":"r","start":3,"end":4,"input":{"steps":[{"kind":"deleteFamily","column":"f"}]},"output":{"applied":true}}`
	put2     = `{"client":1,"row":"r","start":5,"end":6,"input":{"steps":[{"kind":"put","column":"f:n","value":"2"}]},"output":{"applied":true}}`
	sees1    = `{"client":2,"row":"r","start":7,"end":8,"input":{"steps":[]},"output":{"applied":true,"cells":{"f:n":"1"}}}`
	sees2    = `{"client":2,"row":"r","start":7,"end":8,"input":{"steps":[]},"output":{"applied":true,"cells":{"f:n":"2"}}}`
	seesNone = `{"client":2,"row":"r","start":7,"end":8,"input":{"steps":[]},"output":{"applied":true,"cells":{}}}`
)

func TestOrdersAreAccepted(t *testing.T) {
	if verdict(t, put1, wiped, put2, sees2) != 0 {
		t.Error("put, delete, put and a read of the last")
	}
	overlapping := strings.Replace(put2, `"start":5`, `"start":2`, 1)
	if verdict(t, put1, wiped, overlapping, seesNone) != 0 {
		t.Error("a put beside a delete may come before it")
	}
}

func TestAPutHiddenByAnEarlierMarkerIsFound(t *testing.T) {
	if verdict(t, put1, wiped, put2, seesNone) != 1 {
		t.Error("an acknowledged put has vanished")
	}
}

func TestAWriteHiddenByAnEarlierIncrementIsFound(t *testing.T) {
	increment := `{"client":3,"row":"r","start":3,"end":4,"input":{"steps":[{"kind":"increment","column":"f:n","value":"5"}]},"output":{"applied":true,"cells":{"f:n":"6"}}}`
	sees6 := strings.Replace(sees1, `"f:n":"1"`, `"f:n":"6"`, 1)
	if verdict(t, put1, increment, put2, sees6) != 1 {
		t.Error("the put was acknowledged after the increment, and the increment is read")
	}
}

func TestALostIncrementIsFound(t *testing.T) {
	one := `{"client":1,"row":"r","start":1,"end":2,"input":{"steps":[{"kind":"increment","column":"f:n","value":"1"}]},"output":{"applied":true,"cells":{"f:n":"1"}}}`
	again := strings.Replace(strings.Replace(one, `"start":1,"end":2`, `"start":3,"end":4`, 1), `"client":1`, `"client":2`, 1)
	if verdict(t, one, again) != 1 {
		t.Error("two increments answered the same number")
	}
}

func TestHalfARowIsFound(t *testing.T) {
	both := `{"client":1,"row":"r","start":1,"end":2,"input":{"steps":[{"kind":"put","column":"f:n","value":"1"},{"kind":"put","column":"g:v","value":"a"}]},"output":{"applied":true}}`
	if verdict(t, both, sees1) != 1 {
		t.Error("one of two columns is seen")
	}
}

func TestAnUnknownOutcomeMayHaveHappenedOrNot(t *testing.T) {
	unknown := strings.Replace(put2, `"end":6,`, "", 1)
	for _, seen := range []string{sees1, sees2} {
		if verdict(t, put1, unknown, seen) != 0 {
			t.Errorf("after an unknown put: %s", seen)
		}
	}
	late := strings.Replace(sees1, `"start":7,"end":8`, `"start":9,"end":10`, 1)
	if verdict(t, put1, unknown, sees2, late) != 1 {
		t.Error("what was seen once cannot be undone")
	}
}

func TestConditions(t *testing.T) {
	check := `{"client":1,"row":"r","start":3,"end":4,"input":{"condition":"f:n","expected":"1","steps":[{"kind":"put","column":"f:n","value":"2"}]},"output":{"applied":true}}`
	if verdict(t, put1, check, sees2) != 0 {
		t.Error("the condition holds")
	}
	refused := strings.Replace(check, `"applied":true`, `"applied":false`, 1)
	if verdict(t, put1, refused, sees1) != 1 {
		t.Error("the condition held and was refused")
	}
}

func TestABrokenHistoryIsNoVerdict(t *testing.T) {
	if verdict(t, put1, "{") != 2 || verdict(t) != 2 {
		t.Error("no history, no verdict")
	}
}
