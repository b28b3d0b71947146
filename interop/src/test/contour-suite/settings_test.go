// SPDX-License-Identifier: Apache-2.0

package main

import (
	"reflect"
	"testing"

	"sigs.k8s.io/yaml"
)

func TestSettings(t *testing.T) {
	var config map[string]any
	if err := yaml.Unmarshal([]byte(`
debug: false
default-http-versions: []
disableMergeSlashes: true
compression: {algorithm: brotli}
policy: {request-headers: {set: {X-A: b}, remove: [c, d]}}
tls: {fallback-certificate: {name: cert, namespace: ns}, envoy-client-certificate: {name: "", namespace: ""}}
cluster: {dns-lookup-family: auto}
timeouts: {request-timeout: 1s}
`), &config); err != nil {
		t.Fatal(err)
	}
	docs := known("`traffic.mergeSlashes: false` `traffic.compression` `traffic.requestHeaders.set` " +
		"`traffic.requestHeaders.remove` `traffic.fallbackCertificate` `source.kubernetes.namespaces`")
	ours, unknown := translate(config, map[string]string{
		"watch-namespaces": "a,b", "root-namespaces": "a", "ingress-class-name": "contour,team1", "debug": "",
	}, docs)
	wanted := map[string]any{
		"traffic": map[string]any{
			"mergeSlashes":        false,
			"compression":         "brotli",
			"requestHeaders":      map[string]any{"set": map[string]any{"X-A": "b"}, "remove": "c,d"},
			"fallbackCertificate": "ns/cert",
		},
		"source":       map[string]any{"kubernetes": map[string]any{"namespaces": "a,b"}},
		"ingressClass": "contour,team1",
	}
	if !reflect.DeepEqual(ours, wanted) {
		t.Errorf("settings: %v (expected: %v)", ours, wanted)
	}
	left := []string{"root-namespaces=a", "timeouts.request-timeout=1s"}
	if !reflect.DeepEqual(unknown, left) {
		t.Errorf("without a counterpart: %v (expected: %v)", unknown, left)
	}
}
