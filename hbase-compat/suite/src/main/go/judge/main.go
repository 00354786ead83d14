// Judges a history of operations for linearizability, row by row.
//
//	judge [-timeout 5m] [-show DIR] HISTORY
//
// Exit code 0: every row has an order of its operations that explains all results and keeps the order of those that do not overlap.
// 1: a row has none. 2: the history cannot be read, or the time was not enough to judge it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
)

func main() {
	timeout := flag.Duration("timeout", 5*time.Minute, "time for each row")
	show := flag.String("show", "", "directory for a page of each row that has no order")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	os.Exit(run(flag.Arg(0), *timeout, *show))
}

func run(path string, timeout time.Duration, show string) int {
	file, err := os.Open(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer file.Close()
	calls, err := readHistory(file)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	rows, unknown := byRow(calls)
	bad, undecided := 0, 0
	for _, name := range names(rows) {
		verdict, info := porcupine.CheckOperationsVerbose(rowModel, operations(rows[name]), timeout)
		switch verdict {
		case porcupine.Illegal:
			bad++
			fmt.Printf("VIOLATION row %s: no order explains its %d operations\n", name, len(rows[name]))
			explain(info, rows[name])
			if show != "" {
				visualize(info, filepath.Join(show, name+".html"))
			}
		case porcupine.Unknown:
			undecided++
			fmt.Printf("row %s: %d operations could not be judged in %s\n", name, len(rows[name]), timeout)
		}
	}
	fmt.Printf("checked: %d operations on %d rows, %d of unknown outcome, %d violations\n",
		len(calls), len(rows), unknown, bad)
	switch {
	case bad > 0:
		return 1
	case undecided > 0 || len(calls) == 0:
		return 2
	}
	return 0
}

func byRow(calls []Call) (map[string][]Call, int) {
	rows, unknown := map[string][]Call{}, 0
	for _, call := range calls {
		rows[call.Row] = append(rows[call.Row], call)
		if call.End == nil {
			unknown++
		}
	}
	return rows, unknown
}

func names(rows map[string][]Call) []string {
	names := make([]string, 0, len(rows))
	for name := range rows {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// explain prints the operations around the first that no order could take in.
func explain(info porcupine.LinearizationInfo, calls []Call) {
	longest := 0
	for _, partition := range info.PartialLinearizations() {
		for _, order := range partition {
			if len(order) > longest {
				longest = len(order)
			}
		}
	}
	sort.SliceStable(calls, func(a, b int) bool { return calls[a].Start < calls[b].Start })
	from, to := longest-12, longest+4
	if from < 0 {
		from = 0
	}
	if to > len(calls) {
		to = len(calls)
	}
	fmt.Printf("  %d of %d operations can be ordered; those that began about then:\n", longest, len(calls))
	for _, call := range calls[from:to] {
		end := "?"
		if call.End != nil {
			end = fmt.Sprint(*call.End)
		}
		seen := result{known: call.End != nil, output: call.Output}
		fmt.Printf("  %d..%s client %d: %s\n", call.Start, end, call.Client, describe(call.Input, seen))
	}
}

func visualize(info porcupine.LinearizationInfo, path string) {
	if err := porcupine.VisualizePath(rowModel, info, path); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}
