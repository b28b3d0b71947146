// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFailuresNeedReasons(t *testing.T) {
	r := &rig{with: "holdfast", holdfast: t.TempDir()}
	file := filepath.Join(r.holdfast, "interop/src/test/contour-suite/reasons.yaml")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("- {spec: a, why: because}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := r.check([]result{{Spec: "a: x", State: "failed"}, {Spec: "b: y", State: "passed"}}); err != nil {
		t.Errorf("a failure with a reason: %v", err)
	}
	err := r.check([]result{{Spec: "b: y", State: "failed"}, {Spec: "c: z", State: "skipped"}})
	if err == nil || !strings.Contains(err.Error(), "b: y") {
		t.Errorf("a failure without a reason: %v", err)
	}
	r.with = "contour"
	if err := r.check([]result{{Spec: "a: x", State: "failed"}}); err == nil {
		t.Error("a failure with Contour was taken for known")
	}
}

func TestTheTableNamesReasonsOnlyForFailures(t *testing.T) {
	text := table(
		[]result{{Suite: "httpproxy", Spec: "a: x", State: "failed"}, {Suite: "httpproxy", Spec: "a: y", State: "passed"}},
		[]result{{Suite: "httpproxy", Spec: "a: x", State: "passed"}},
		[]reason{{Spec: "a", Why: "because"}})
	for _, line := range []string{
		"| httpproxy | 2 | 1 | 1 | 0 |",
		"| httpproxy | a: x | passed | failed | because |",
		"| httpproxy | a: y | not run | passed |  |",
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("no line %q in:\n%s", line, text)
		}
	}
}
