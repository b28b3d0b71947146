// SPDX-License-Identifier: Apache-2.0

// The rig in which Contour's own end-to-end suite runs: a Kubernetes without nodes, in namespaces of its own.
//
// One program has all the parts, because most of them are started from where only one program can be named:
//
//	rig run ...          some clusters, and what came out of them
//	rig cluster ...      one cluster in namespaces of its own, and in it the suites
//	rig pod              what a pod begins with: its files, then its containers
//	rig image NAME       a stand-in for an image that nobody can pull here
//	rig contour ...      a stand-in for the program contour, which starts Holdfast
//	go build ...         (by name) a stand-in for Go, from which the suite orders a contour
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	args := os.Args[1:]
	if filepath.Base(os.Args[0]) == "go" {
		exit(standInForGo(args))
	}
	if len(args) == 0 {
		exit(fmt.Errorf("expected: run, cluster, pod, image or contour"))
	}
	switch args[0] {
	case "run":
		exit(run(args[1:]))
	case "cluster":
		exit(clusterMain(args[1:]))
	case "pod":
		exit(podMain())
	case "image":
		exit(imageMain(args[1:]))
	case "contour":
		exit(contourMain(args[1:]))
	default:
		exit(fmt.Errorf("%s: expected run, cluster, pod, image or contour", args[0]))
	}
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "contour-suite:", err)
		os.Exit(1)
	}
	os.Exit(0)
}
