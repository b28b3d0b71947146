// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"sigs.k8s.io/yaml"
)

// What the stand-ins are told by the rig, through the suite that lies between them.
const (
	launcherVariable  = "RIG_CONTOUR"   // the program that the suite gets as contour
	holdfastVariable  = "RIG_HOLDFAST"  // the launcher of Holdfast
	bootstrapVariable = "RIG_BOOTSTRAP" // the bootstrap of Envoy
)

// standInForGo is asked once: go build -o FILE -race PACKAGE.
func standInForGo(args []string) error {
	for i, argument := range args {
		if argument == "-o" && i+1 < len(args) {
			return os.Symlink(os.Getenv(launcherVariable), args[i+1])
		}
	}
	return fmt.Errorf("go %s: only build -o FILE is known here", strings.Join(args, " "))
}

// contourMain is what the suite believes to be contour.
func contourMain(args []string) error {
	flags := map[string]string{}
	var words []string
	for _, argument := range args {
		if !strings.HasPrefix(argument, "--") {
			words = append(words, argument)
			continue
		}
		name, value, _ := strings.Cut(argument[2:], "=")
		flags[name] = value
	}
	switch {
	case len(words) == 2 && words[0] == "bootstrap":
		content, err := os.ReadFile(os.Getenv(bootstrapVariable))
		if err != nil {
			return err
		}
		return os.WriteFile(words[1], content, 0o600)
	case len(words) == 1 && words[0] == "serve":
		return serve(flags)
	default:
		return fmt.Errorf("contour %s: only serve and bootstrap FILE are known here", strings.Join(args, " "))
	}
}

// serve becomes a Holdfast with the same settings and no memory of others.
func serve(flags map[string]string) error {
	content, err := os.ReadFile(flags["config-path"])
	if err != nil {
		return err
	}
	config := map[string]any{}
	if err := yaml.Unmarshal(content, &config); err != nil {
		return err
	}
	directory, err := os.MkdirTemp("", "holdfast-")
	if err != nil {
		return err
	}
	holdfast := os.Getenv(holdfastVariable)
	known, err := readKnown(holdfast)
	if err != nil {
		return err
	}
	ours, unknown := translate(config, flags, known)
	set(ours, "xds.address", flags["xds-address"]+":"+flags["xds-port"])
	set(ours, "admin.address", "127.0.0.1:0")
	set(ours, "source.type", "kubernetes")
	set(ours, "source.kubernetes.kubeconfig", flags["kubeconfig"])
	set(ours, "state.path", filepath.Join(directory, "state.db"))
	for _, setting := range unknown {
		fmt.Fprintf(os.Stderr, "no counterpart of Contour's setting %s\n", setting)
	}
	text, err := yaml.Marshal(ours)
	if err != nil {
		return err
	}
	file := filepath.Join(directory, "holdfast.yaml")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "holdfast.yaml:\n%s", text)
	// A server of a few seconds gains nothing from a compiler that takes its time.
	env := append(os.Environ(), "HOLDFAST_JAVA_OPTS=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
	return syscall.Exec(holdfast, []string{holdfast, "serve", "--kubernetes", "--config", file}, env)
}
