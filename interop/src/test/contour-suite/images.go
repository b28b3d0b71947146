// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"

	corev3 "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	ratelimitv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/common/ratelimit/v3"
	authv3 "github.com/envoyproxy/go-control-plane/envoy/service/auth/v3"
	limitv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	typev3 "github.com/envoyproxy/go-control-plane/envoy/type/v3"
	rpcstatus "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// images says which programs of this machine run in place of images.
type images struct {
	programs string // echo and yages
	envoy    string
}

func (i images) command(container core.Container, env []string) []string {
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	name := container.Image[strings.LastIndexByte(container.Image, '/')+1:]
	name, _, _ = strings.Cut(name, ":")
	var command []string
	switch name {
	case "envoy":
		command = []string{i.envoy}
	case "echoserver":
		command = []string{filepath.Join(i.programs, "echo")}
	case "yages":
		command = []string{filepath.Join(i.programs, "yages")}
	default:
		command = []string{self, "image", name}
	}
	for _, argument := range container.Args {
		command = append(command, expand(argument, env))
	}
	return command
}

// imageMain is a small program that does of an image's what the suite asks for.
func imageMain(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("image: expected a name")
	}
	switch args[0] {
	case "echo-server":
		return cookieServer()
	case "contour-authserver":
		return authServer(args[1:])
	case "ratelimit":
		return limitServer("/data/ratelimit/config")
	case "redis": // our rate limits count for themselves
		select {}
	default:
		return fmt.Errorf("image %s: nothing stands in for it", args[0])
	}
}

// cookieServer answers with the headers that a request names in X-ECHO-HEADER.
func cookieServer() error {
	return http.ListenAndServe(":"+os.Getenv("PORT"), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, header := range strings.Split(r.Header.Get("X-Echo-Header"), ", ") {
			if name, value, ok := strings.Cut(header, ":"); ok {
				w.Header().Add(name, strings.TrimSpace(value))
			}
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"host": r.Host, "path": r.RequestURI, "headers": r.Header})
	}))
}

// authServer allows requests with "allow" in their paths, and tells the backend its context.
func authServer(args []string) error {
	flags := map[string]string{}
	for _, argument := range args {
		if name, value, ok := strings.Cut(strings.TrimLeft(argument, "-"), "="); ok {
			flags[name] = value
		}
	}
	var options []grpc.ServerOption
	if file := flags["tls-cert-path"]; file != "" {
		pair, err := tls.LoadX509KeyPair(file, flags["tls-key-path"])
		if err != nil {
			return err
		}
		options = append(options, grpc.Creds(credentials.NewServerTLSFromCert(&pair)))
	}
	listener, err := net.Listen("tcp", flags["address"])
	if err != nil {
		return err
	}
	server := grpc.NewServer(options...)
	authv3.RegisterAuthorizationServer(server, authorization{})
	return server.Serve(listener)
}

type authorization struct {
	authv3.UnimplementedAuthorizationServer
}

func (authorization) Check(_ context.Context, request *authv3.CheckRequest) (*authv3.CheckResponse, error) {
	attributes := request.GetAttributes()
	headers := []*corev3.HeaderValueOption{{Header: &corev3.HeaderValue{Key: "Auth-Handler", Value: "testserver"}}}
	for name, value := range attributes.GetContextExtensions() {
		headers = append(headers, &corev3.HeaderValueOption{
			Header: &corev3.HeaderValue{Key: "Auth-Context-" + name, Value: value},
		})
	}
	if strings.Contains(attributes.GetRequest().GetHttp().GetPath(), "allow") {
		return &authv3.CheckResponse{
			Status:       &rpcstatus.Status{Code: int32(codes.OK)},
			HttpResponse: &authv3.CheckResponse_OkResponse{OkResponse: &authv3.OkHttpResponse{Headers: headers}},
		}, nil
	}
	return &authv3.CheckResponse{
		Status: &rpcstatus.Status{Code: int32(codes.PermissionDenied)},
		HttpResponse: &authv3.CheckResponse_DeniedResponse{DeniedResponse: &authv3.DeniedHttpResponse{
			Status: &typev3.HttpStatus{Code: typev3.StatusCode_Unauthorized}, Headers: headers,
		}},
	}, nil
}

// limits counts requests by their descriptors and never forgets: the suite's windows are an hour.
type limits struct {
	limitv3.UnimplementedRateLimitServiceServer
	domains map[string][]limitRule
	mutex   sync.Mutex
	counts  map[string]uint32
}

type limitRule struct {
	Key         string      `json:"key"`
	Value       string      `json:"value"`
	Descriptors []limitRule `json:"descriptors"`
	RateLimit   *struct {
		Unit            string `json:"unit"`
		RequestsPerUnit uint32 `json:"requests_per_unit"`
	} `json:"rate_limit"`
}

func limitServer(directory string) error {
	l := &limits{domains: map[string][]limitRule{}, counts: map[string]uint32{}}
	files, err := filepath.Glob(filepath.Join(directory, "*.yaml"))
	if err != nil {
		return err
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var config struct {
			Domain      string      `json:"domain"`
			Descriptors []limitRule `json:"descriptors"`
		}
		if err := yaml.Unmarshal(content, &config); err != nil {
			return err
		}
		l.domains[config.Domain] = config.Descriptors
	}
	listener, err := net.Listen("tcp", ":8081")
	if err != nil {
		return err
	}
	server := grpc.NewServer()
	limitv3.RegisterRateLimitServiceServer(server, l)
	return server.Serve(listener)
}

func (l *limits) ShouldRateLimit(_ context.Context, request *limitv3.RateLimitRequest) (*limitv3.RateLimitResponse, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	response := &limitv3.RateLimitResponse{OverallCode: limitv3.RateLimitResponse_OK}
	for _, descriptor := range request.GetDescriptors() {
		code := limitv3.RateLimitResponse_OK
		if rule := findRule(l.domains[request.GetDomain()], descriptor.GetEntries()); rule != nil && rule.RateLimit != nil {
			counter := request.GetDomain() + descriptor.String()
			l.counts[counter] += max(1, request.GetHitsAddend())
			if l.counts[counter] > rule.RateLimit.RequestsPerUnit {
				code = limitv3.RateLimitResponse_OVER_LIMIT
				response.OverallCode = code
			}
		}
		response.Statuses = append(response.Statuses, &limitv3.RateLimitResponse_DescriptorStatus{Code: code})
	}
	return response, nil
}

// findRule looks for the rule of a whole descriptor: one with the value, else one for all values.
func findRule(rules []limitRule, entries []*ratelimitv3.RateLimitDescriptor_Entry) *limitRule {
	for _, exact := range []bool{true, false} {
		for i := range rules {
			rule := &rules[i]
			if rule.Key != entries[0].GetKey() || (exact && rule.Value != entries[0].GetValue()) || (!exact && rule.Value != "") {
				continue
			}
			if len(entries) == 1 {
				return rule
			}
			return findRule(rule.Descriptors, entries[1:])
		}
	}
	return nil
}
