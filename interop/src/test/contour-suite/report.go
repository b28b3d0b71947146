// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// suiteReport is what we read of Ginkgo's report.
type suiteReport struct {
	SpecReports []specReport
}

type specReport struct {
	ContainerHierarchyTexts []string
	LeafNodeType            string
	LeafNodeText            string
	State                   string
	NumAttempts             int
	StartTime, EndTime      time.Time
	// What the control plane printed, among other things.
	CapturedGinkgoWriterOutput string
	Failure                    struct {
		Message  string
		Location struct {
			FileName   string
			LineNumber int
		}
	}
}

func (s specReport) namespace() string {
	for _, text := range s.ContainerHierarchyTexts {
		if namespace, ok := strings.CutPrefix(text, "with namespace: "); ok {
			return namespace
		}
	}
	return ""
}

// name is what we call a spec: its namespace says more than the words.
func (s specReport) name() string {
	return s.namespace() + ": " + s.LeafNodeText
}

// result is what came out of a spec.
type result struct {
	Suite   string  `json:"suite"`
	Spec    string  `json:"spec"`
	State   string  `json:"state"`
	Seconds float64 `json:"seconds"`
	Seen    string  `json:"seen,omitempty"` // what was seen, if it failed
}

// readGinkgo reads a report, if there is one: a job may have had nothing to run of a suite.
func readGinkgo(file string) ([]specReport, error) {
	content, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var reports []suiteReport
	if err := json.Unmarshal(content, &reports); err != nil {
		return nil, err
	}
	var specs []specReport
	for _, report := range reports {
		specs = append(specs, report.SpecReports...)
	}
	return specs, nil
}

// read finds the results of a job. Ginkgo reports as skipped what was not asked for, which nobody attempted, and what
// says of itself that it does not apply.
func (r *rig) read(job int, suite string) ([]result, error) {
	specs, err := readGinkgo(r.ginkgo(job, suite))
	var results []result
	for _, spec := range specs {
		if spec.NumAttempts == 0 || spec.LeafNodeType != "It" && spec.State == "passed" {
			continue
		}
		one := result{
			Suite: suite, Spec: spec.name(), State: spec.State, Seconds: spec.EndTime.Sub(spec.StartTime).Seconds(),
		}
		if spec.State != "passed" && spec.State != "skipped" {
			one.Seen = spec.reason()
		}
		results = append(results, one)
	}
	return results, err
}

func writeResults(file string, results []result) error {
	slices.SortFunc(results, func(a, b result) int {
		return cmp.Or(strings.Compare(a.Suite, b.Suite), strings.Compare(a.Spec, b.Spec))
	})
	content, err := json.MarshalIndent(results, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o644)
}

func readResults(file string) ([]result, error) {
	content, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var results []result
	return results, json.Unmarshal(content, &results)
}

func (r *rig) allResults(with string) string {
	return filepath.Join(r.out, with+".json")
}

// gather puts the results of all jobs in the place of those that earlier runs left.
func (r *rig) gather() error {
	all, err := readResults(r.allResults(r.with))
	if err != nil {
		return err
	}
	var found []result
	for job := range r.jobs {
		for _, suite := range r.suites {
			some, err := r.read(job, suite)
			if err != nil {
				return err
			}
			found = append(found, some...)
		}
	}
	passed, failed := 0, 0
	for _, one := range found {
		all = slices.DeleteFunc(all, func(old result) bool { return old.Suite == one.Suite && old.Spec == one.Spec })
		switch {
		case one.State == "passed":
			passed++
		case one.Seen != "":
			failed++
			fmt.Printf("FAILED %s %s\n       %s\n", one.Suite, one.Spec, cell(one.Seen))
		}
	}
	fmt.Printf("%s: %d passed, %d failed; see %s\n", r.with, passed, failed, r.out)
	if err := writeResults(r.allResults(r.with), append(all, found...)); err != nil {
		return err
	}
	if r.write != "" {
		if err := r.writePage(); err != nil {
			return err
		}
	}
	return r.check(found)
}

// complaint is a line of Holdfast's log, or of its launcher, that may tell why a spec failed. Objects of the spec before
// are still being deleted, so those of other namespaces do not count.
var complaint = regexp.MustCompile(`(?m)^\s*(?:\S+ (?:WARN|ERROR) +\w+: (.* is not valid, .*|.* is held .*)|(no counterpart of .*))$`)

func (s specReport) reason() string {
	var seen []string
	for _, match := range complaint.FindAllStringSubmatch(s.CapturedGinkgoWriterOutput, -1) {
		text := match[1] + match[2]
		isOurs := match[1] == "" || strings.Contains(text, "/"+s.namespace()+"/")
		if isOurs && !slices.Contains(seen, text) {
			seen = append(seen, text)
		}
	}
	at := fmt.Sprintf("%s:%d", filepath.Base(s.Failure.Location.FileName), s.Failure.Location.LineNumber)
	message := []string{at}
	for _, line := range regexp.MustCompile(`(?m)^\s*(?:Error|Messages):\s*(.*)$`).FindAllStringSubmatch(s.Failure.Message, -1) {
		message = append(message, line[1])
	}
	return strings.Join(append(seen, strings.Join(message, ": ")), "; ")
}

// cell makes one line of a text, without what a table would take for its own.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", "\\|")
}
