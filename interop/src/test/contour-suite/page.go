// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

const (
	pageBegin = "<!-- results: contour-suite --write puts them here -->\n"
	pageEnd   = "<!-- end of results -->\n"
)

// reason is why a spec is known to fail.
type reason struct {
	Spec string // the beginning of the spec's name
	Why  string
}

func (r *rig) readReasons() ([]reason, error) {
	text, err := os.ReadFile(filepath.Join(r.holdfast, "interop/src/test/contour-suite/reasons.yaml"))
	if err != nil {
		return nil, err
	}
	var reasons []reason
	return reasons, yaml.UnmarshalStrict(text, &reasons)
}

func find(reasons []reason, spec string) (reason, bool) {
	i := slices.IndexFunc(reasons, func(r reason) bool { return strings.HasPrefix(spec, r.Spec) })
	if i < 0 {
		return reason{}, false
	}
	return reasons[i], true
}

// check compares the results with what is known: Contour passes everything, and Holdfast fails for known reasons. A
// reason that none of its specs needs any more would hide the next failure.
func (r *rig) check(results []result) error {
	var reasons []reason
	if r.with == "holdfast" {
		var err error
		if reasons, err = r.readReasons(); err != nil {
			return err
		}
	}
	needed, seen := map[reason]bool{}, map[reason]bool{}
	var unexplained []string
	for _, one := range results {
		known, found := find(reasons, one.Spec)
		seen[known] = true
		switch {
		case one.State == "passed" || one.State == "skipped":
		case found:
			needed[known] = true
		default:
			unexplained = append(unexplained, one.Spec)
		}
	}
	for _, each := range reasons {
		if seen[each] && !needed[each] {
			fmt.Printf("passes; its reason can go: %s\n", each.Spec)
		}
	}
	if len(unexplained) > 0 {
		return fmt.Errorf("failed, and nobody said why: %s", strings.Join(unexplained, "; "))
	}
	return nil
}

// writePage puts a table of all specs into the page, with what the same rig found with Contour itself.
func (r *rig) writePage() error {
	reasons, err := r.readReasons()
	if err != nil {
		return err
	}
	ours, err := readResults(r.allResults("holdfast"))
	if err != nil {
		return err
	}
	theirs, err := readResults(r.allResults("contour"))
	if err != nil {
		return err
	}
	page, err := os.ReadFile(r.write)
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(page), pageBegin)
	_, after, foundEnd := strings.Cut(rest, pageEnd)
	if !found || !foundEnd {
		return fmt.Errorf("%s: no place for the results", r.write)
	}
	return os.WriteFile(r.write, []byte(before+pageBegin+table(ours, theirs, reasons)+pageEnd+after), 0o644)
}

func table(ours, theirs []result, reasons []reason) string {
	var b strings.Builder
	counts := map[string]int{}
	var lines []string
	for _, one := range ours {
		counts[one.Suite+" "+one.State]++
		counts[one.Suite]++
		contour := "not run"
		if i := slices.IndexFunc(theirs, func(r result) bool { return r.Suite == one.Suite && r.Spec == one.Spec }); i >= 0 {
			contour = theirs[i].State
		}
		lines = append(lines, fmt.Sprintf("| %s | %s | %s | %s | %s |\n", one.Suite, cell(one.Spec), contour, one.State, cell(why(one, reasons))))
	}
	fmt.Fprintf(&b, "| suite | specs | pass | fail | do not apply |\n|---|---|---|---|---|\n")
	for _, suite := range []string{"httpproxy", "ingress"} {
		total, passed, skipped := counts[suite], counts[suite+" passed"], counts[suite+" skipped"]
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d |\n", suite, total, passed, total-passed-skipped, skipped)
	}
	fmt.Fprintf(&b, "\n| suite | spec | with Contour | with Holdfast | why |\n|---|---|---|---|---|\n%s", strings.Join(lines, ""))
	return b.String()
}

func why(one result, reasons []reason) string {
	known, found := find(reasons, one.Spec)
	switch {
	case one.State == "skipped":
		return "for Contour's configuration by a CRD"
	case one.State == "passed":
		return ""
	case found:
		return known.Why
	default:
		return "not explained yet: " + one.Seen[:min(len(one.Seen), 300)]
	}
}
