// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
)

// counterpart is a setting of Holdfast's.
type counterpart struct {
	name  string
	value func(any) any // its value for one of Contour's
}

func same(value any) any { return value }

func not(value any) any { return value != true }

func namespacedName(value any) any {
	fields, _ := value.(map[string]any)
	return fmt.Sprintf("%v/%v", fields["namespace"], fields["name"])
}

func commas(value any) any {
	var words []string
	for _, word := range value.([]any) {
		words = append(words, fmt.Sprint(word))
	}
	return strings.Join(words, ",")
}

// counterparts are by the names in Contour's configuration file; a name stands for all that is below it.
var counterparts = map[string]counterpart{
	"cluster.upstream-tls.maximum-protocol-version": {"traffic.backendTls.maximumVersion", same},
	"cluster.upstream-tls.minimum-protocol-version": {"traffic.backendTls.minimumVersion", same},
	"compression.algorithm":                         {"traffic.compression", same},
	"disableMergeSlashes":                           {"traffic.mergeSlashes", not},
	"enableExternalNameService":                     {"traffic.externalNameServices", same},
	"globalExtAuth.authPolicy":                      {"traffic.authorization.authPolicy", same},
	"globalExtAuth.extensionService":                {"traffic.authorization.service", same},
	"globalExtAuth.failOpen":                        {"traffic.authorization.failOpen", same},
	"globalExtAuth.responseTimeout":                 {"traffic.authorization.responseTimeout", same},
	"globalExtAuth.withRequestBody":                 {"traffic.authorization.withRequestBody", same},
	"network.num-trusted-hops":                      {"traffic.trustedHops", same},
	"policy.applyToIngress":                         {"traffic.ingressHeaders", same},
	"policy.request-headers.remove":                 {"traffic.requestHeaders.remove", commas},
	"policy.request-headers.set":                    {"traffic.requestHeaders.set", same},
	"policy.response-headers.remove":                {"traffic.responseHeaders.remove", commas},
	"policy.response-headers.set":                   {"traffic.responseHeaders.set", same},
	"rateLimitService.defaultGlobalRateLimitPolicy": {"traffic.rateLimit.defaultPolicy", same},
	"rateLimitService.domain":                       {"traffic.rateLimit.domain", same},
	"rateLimitService.enableResourceExhaustedCode":  {"traffic.rateLimit.resourceExhausted", same},
	"rateLimitService.enableXRateLimitHeaders":      {"traffic.rateLimit.headers", same},
	"rateLimitService.extensionService":             {"traffic.rateLimit.service", same},
	"rateLimitService.failOpen":                     {"traffic.rateLimit.failOpen", same},
	"tls.envoy-client-certificate":                  {"traffic.backendTls.clientCertificate", namespacedName},
	"tls.fallback-certificate":                      {"traffic.fallbackCertificate", namespacedName},
}

// flagCounterparts are by the names of Contour's flags.
var flagCounterparts = map[string]counterpart{
	"root-namespaces":  {"rootNamespaces", same},
	"watch-namespaces": {"source.kubernetes.namespaces", same},
}

// ignored are settings that mean nothing here: they ask for what Holdfast does anyway.
var ignored = map[string]bool{
	"cluster.dns-lookup-family": true,
}

// known tells whether a Holdfast has a setting: its documentation says so. With an older one, the specs that need the
// setting fail, and not its start.
type known string

func readKnown(holdfast string) (known, error) {
	var pages string
	for _, page := range []string{"serve.md", "kubernetes.md"} {
		content, err := os.ReadFile(filepath.Join(filepath.Dir(holdfast), "docs", page))
		if err != nil {
			return "", err
		}
		pages += string(content)
	}
	return known(pages), nil
}

func (k known) has(name string) bool {
	return strings.Contains(string(k), "`"+name)
}

// translate finds Holdfast's settings for those that differ from Contour's defaults. It also tells which of them have
// no counterpart.
func translate(config map[string]any, flags map[string]string, known known) (ours map[string]any, unknown []string) {
	ours = map[string]any{}
	walk("", config, func(path string, value any) bool {
		if c, ok := counterparts[path]; ok && known.has(c.name) {
			set(ours, c.name, c.value(value))
			return true
		}
		if _, isMap := value.(map[string]any); isMap {
			return false
		}
		if !ignored[path] {
			unknown = append(unknown, fmt.Sprintf("%s=%v", path, value))
		}
		return true
	})
	for flag, value := range flags {
		c, ok := flagCounterparts[flag]
		switch {
		case ok && known.has(c.name):
			set(ours, c.name, value)
		case ok:
			unknown = append(unknown, flag+"="+value)
		}
	}
	if classes, ok := flags["ingress-class-name"]; ok {
		set(ours, "ingressClass", classes)
	}
	sort.Strings(unknown)
	return ours, unknown
}

// walk visits all that is set, from the top; a visitor that says true has seen what is below.
func walk(path string, value any, visit func(path string, value any) bool) {
	if isEmpty(value) {
		return
	}
	if path != "" && visit(path, value) {
		return
	}
	fields, ok := value.(map[string]any)
	if !ok {
		return
	}
	for name, field := range fields {
		below := name
		if path != "" {
			below = path + "." + name
		}
		walk(below, field, visit)
	}
}

func isEmpty(value any) bool {
	if list, ok := value.([]any); ok {
		return len(list) == 0
	}
	return value == nil || reflect.ValueOf(value).IsZero()
}

func set(config map[string]any, path string, value any) {
	first, rest, found := strings.Cut(path, ".")
	if !found {
		config[first] = value
		return
	}
	below, ok := config[first].(map[string]any)
	if !ok {
		below = map[string]any{}
		config[first] = below
	}
	set(below, rest, value)
}
