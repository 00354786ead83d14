package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/anishathalye/porcupine"
)

// Call is one operation of a client on one row, a line of the history. Start and End are nanoseconds
// of one clock. An operation whose outcome is not known has no End: it may have been applied at any
// later time, or never.
type Call struct {
	Client int    `json:"client"`
	Row    string `json:"row"`
	Start  int64  `json:"start"`
	End    *int64 `json:"end"`
	Input  Input  `json:"input"`
	Output Output `json:"output"`
}

// Input says what an operation asks for. A condition and steps apply as a whole or not at all.
type Input struct {
	// Condition is the column that must have the value Expected ("" = no such cell) before the steps.
	Condition string `json:"condition,omitempty"`
	Expected  string `json:"expected,omitempty"`
	// Steps change the row in their order; none is a read of the row.
	Steps []Step `json:"steps"`
}

// Step changes one column ("f:n"), or with kind deleteFamily all columns of a family ("f").
type Step struct {
	Kind   string `json:"kind"`
	Column string `json:"column"`
	Value  string `json:"value,omitempty"`
}

// Output is what the client saw.
type Output struct {
	// Applied is false where a condition did not hold.
	Applied bool `json:"applied"`
	// Cells of a read, or the new cells of increments and appends.
	Cells map[string]string `json:"cells"`
}

// readHistory reads a history, one call a line.
func readHistory(in io.Reader) ([]Call, error) {
	var calls []Call
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 1<<16), 1<<24)
	for number := 1; lines.Scan(); number++ {
		var call Call
		if err := json.Unmarshal(lines.Bytes(), &call); err != nil {
			return nil, fmt.Errorf("line %d of the history: %w", number, err)
		}
		if call.End != nil && *call.End < call.Start {
			return nil, fmt.Errorf("line %d of the history ends before it starts", number)
		}
		calls = append(calls, call)
	}
	return calls, lines.Err()
}

// result is the output of an operation as the model sees it.
type result struct {
	known  bool
	output Output
}

// operations are the calls on one row, as Porcupine takes them.
func operations(calls []Call) []porcupine.Operation {
	operations := make([]porcupine.Operation, 0, len(calls))
	for _, call := range calls {
		end := int64(math.MaxInt64)
		if call.End != nil {
			end = *call.End
		}
		operations = append(operations, porcupine.Operation{
			ClientId: call.Client,
			Input:    call.Input,
			Call:     call.Start,
			Output:   result{known: call.End != nil, output: call.Output},
			Return:   end,
		})
	}
	return operations
}
