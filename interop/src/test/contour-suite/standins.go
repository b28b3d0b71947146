// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"sigs.k8s.io/yaml"
)

// standIns makes what the suite finds in place of Go and of contour, and returns the latter.
func (r *rig) standIns() (launcher string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	programs := filepath.Join(r.jobDirectory(r.job), "bin")
	if err := os.MkdirAll(programs, 0o755); err != nil {
		return "", err
	}
	if err := os.Symlink(self, filepath.Join(programs, "go")); err != nil {
		return "", err
	}
	if r.with == "contour" {
		return filepath.Join(r.contour, "contour"), nil
	}
	launcher = filepath.Join(programs, "contour")
	script := fmt.Sprintf("#!/bin/sh\nexec '%s' contour \"$@\"\n", self)
	if err := os.WriteFile(launcher, []byte(script), 0o755); err != nil {
		return "", err
	}
	return launcher, r.writeBootstrap()
}

// writeBootstrap has Holdfast make Envoy's bootstrap, before the suite orders it with three seconds' patience. A pod
// of the suite is ready when its Envoy says so on port 8002.
func (r *rig) writeBootstrap() error {
	out, err := exec.Command(filepath.Join(r.holdfast, "holdfast"), "bootstrap", "envoy",
		"--xds-address", hostAddress+":8001", "--node", "envoy", "--cluster", "contour-suite", "--admin-port", "9001").Output()
	if err != nil {
		return fmt.Errorf("holdfast bootstrap envoy: %w", err)
	}
	var bootstrap map[string]any
	if err := yaml.Unmarshal(out, &bootstrap); err != nil {
		return err
	}
	var ready map[string]any
	if err := yaml.Unmarshal([]byte(readiness), &ready); err != nil {
		return err
	}
	resources := bootstrap["static_resources"].(map[string]any)
	for name, more := range ready {
		there, _ := resources[name].([]any)
		resources[name] = append(there, more.([]any)...)
	}
	content, err := yaml.Marshal(bootstrap)
	if err == nil {
		content, err = yaml.YAMLToJSON(content)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.jobDirectory(r.job), "bootstrap.json"), content, 0o644)
}

const readiness = `
clusters:
- name: admin
  type: STATIC
  connect_timeout: 1s
  load_assignment:
    cluster_name: admin
    endpoints:
    - lb_endpoints:
      - endpoint: {address: {socket_address: {address: 127.0.0.1, port_value: 9001}}}
listeners:
- name: admin
  address: {socket_address: {address: 0.0.0.0, port_value: 8002}}
  filter_chains:
  - filters:
    - name: envoy.filters.network.http_connection_manager
      typed_config:
        "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
        stat_prefix: admin
        route_config:
          virtual_hosts:
          - name: admin
            domains: ["*"]
            routes:
            - match: {path: /ready}
              route: {cluster: admin}
            - match: {prefix: /stats}
              route: {cluster: admin}
        http_filters:
        - name: envoy.filters.http.router
          typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}
`
