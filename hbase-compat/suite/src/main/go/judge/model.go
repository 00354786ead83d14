package main

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/anishathalye/porcupine"
)

// row is the state of a row: its columns and their values. A row is never changed in place.
type row map[string]string

// rowModel is a row of a table whose families keep one version: every operation sees all that were done before it.
var rowModel = porcupine.Model{
	Init: func() interface{} { return row{} },
	Step: func(state, input, output interface{}) (bool, interface{}) {
		return step(state.(row), input.(Input), output.(result))
	},
	Equal: func(a, b interface{}) bool { return equal(a.(row), b.(row)) },
	DescribeOperation: func(input, output interface{}) string {
		return describe(input.(Input), output.(result))
	},
	DescribeState: func(state interface{}) string { return text(state.(row)) },
}

// step says whether an operation on a row may have had a result, and what the row is afterwards.
func step(before row, input Input, seen result) (bool, row) {
	if input.Condition != "" && before[input.Condition] != input.Expected {
		return !seen.known || !seen.output.Applied, before
	}
	after, made, err := apply(before, input.Steps)
	if err != nil {
		return !seen.known, before
	}
	if !seen.known {
		return true, after
	}
	if len(input.Steps) == 0 {
		return equal(before, seen.output.Cells), before
	}
	return seen.output.Applied && equal(made, seen.output.Cells), after
}

// apply returns the row after the steps, and the new cells of increments and appends.
func apply(before row, steps []Step) (row, row, error) {
	after, made := row{}, row{}
	for column, value := range before {
		after[column] = value
	}
	for _, step := range steps {
		switch step.Kind {
		case "put":
			after[step.Column] = step.Value
		case "delete":
			delete(after, step.Column)
		case "deleteFamily":
			for column := range after {
				if strings.HasPrefix(column, step.Column+":") {
					delete(after, column)
				}
			}
		case "increment":
			sum, err := add(after[step.Column], step.Value)
			if err != nil {
				return nil, nil, err
			}
			after[step.Column], made[step.Column] = sum, sum
		case "append":
			after[step.Column] += step.Value
			made[step.Column] = after[step.Column]
		default:
			return nil, nil, fmt.Errorf("unknown step %q", step.Kind)
		}
	}
	return after, made, nil
}

func add(a, b string) (string, error) {
	if a == "" {
		a = "0"
	}
	x, err := strconv.ParseInt(a, 10, 64)
	if err != nil {
		return "", err
	}
	y, err := strconv.ParseInt(b, 10, 64)
	if err != nil {
		return "", err
	}
	return strconv.FormatInt(x+y, 10), nil
}

func equal(a, b row) bool {
	if len(a) != len(b) {
		return false
	}
	for column, value := range a {
		if other, there := b[column]; !there || other != value {
			return false
		}
	}
	return true
}

func text(state row) string {
	cells := make([]string, 0, len(state))
	for column, value := range state {
		cells = append(cells, column+"="+value)
	}
	sort.Strings(cells)
	return "{" + strings.Join(cells, " ") + "}"
}

func describe(input Input, seen result) string {
	var out strings.Builder
	if input.Condition != "" {
		fmt.Fprintf(&out, "if %s=%q ", input.Condition, input.Expected)
	}
	for _, step := range input.Steps {
		fmt.Fprintf(&out, "%s %s %s; ", step.Kind, step.Column, step.Value)
	}
	if len(input.Steps) == 0 {
		out.WriteString("get ")
	}
	switch {
	case !seen.known:
		out.WriteString("-> unknown")
	case !seen.output.Applied:
		out.WriteString("-> not applied")
	default:
		out.WriteString("-> " + text(seen.output.Cells))
	}
	return out.String()
}
