// SPDX-License-Identifier: Apache-2.0

// go-control-plane's server on its snapshot cache, as the other servers of the comparison are: told what to do line
// by line, and answering each line with one. First come the clusters, `cluster BASE64` each, and `listen`, which is
// answered with the port. Then `heap REQUESTS`, `change ANSWERS INDEX BASE64`, `spoil INDEX BASE64`.
package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"fmt"
	"net"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	cluster "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	discovery "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"github.com/envoyproxy/go-control-plane/pkg/cache/types"
	"github.com/envoyproxy/go-control-plane/pkg/cache/v3"
	"github.com/envoyproxy/go-control-plane/pkg/resource/v3"
	"github.com/envoyproxy/go-control-plane/pkg/server/v3"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
)

// For what is done after the last answer came.
const afterwards = 100 * time.Millisecond

type sameForAll struct{}

func (sameForAll) ID(*core.Node) string { return "all" }

var (
	snapshots = cache.NewSnapshotCache(true, sameForAll{}, nil)
	clusters  []types.Resource
	version   int
	arrived   atomic.Int64
	awaited   atomic.Int64
	reached   = make(chan struct{}, 1)
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		switch words[0] {
		case "cluster":
			clusters = append(clusters, decode(words[1]))
		case "listen":
			publish()
			fmt.Println(listen())
		case "heap":
			await(number(words[1]))
			time.Sleep(afterwards)
			fmt.Println(heap())
		case "change":
			fmt.Println(change(number(words[1]), words[2], words[3]))
		case "spoil":
			clusters[number(words[1])] = decode(words[2])
			publish()
			fmt.Println("done")
		default:
			check(fmt.Errorf("%q (expected: cluster, listen, heap, change or spoil)", words[0]))
		}
	}
}

func listen() int {
	ads := grpc.NewServer()
	callbacks := server.CallbackFuncs{
		StreamRequestFunc:      func(int64, *discovery.DiscoveryRequest) error { return arrival() },
		StreamDeltaRequestFunc: func(int64, *discovery.DeltaDiscoveryRequest) error { return arrival() },
	}
	discovery.RegisterAggregatedDiscoveryServiceServer(ads, server.NewServer(context.Background(), snapshots, callbacks))
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	go func() { check(ads.Serve(socket)) }()
	return socket.Addr().(*net.TCPAddr).Port
}

func arrival() error {
	if arrived.Add(1) == awaited.Load() {
		select {
		case reached <- struct{}{}:
		default:
		}
	}
	return nil
}

func await(requests int64) {
	awaited.Store(requests)
	for arrived.Load() < requests {
		select {
		case <-reached:
		case <-time.After(time.Millisecond): // it may have come before it was awaited
		}
	}
}

// heap tells the bytes of all reachable objects, and of the stacks of goroutines, of which each stream has some.
func heap() uint64 {
	var memory runtime.MemStats
	for i := 0; i < 3; i++ {
		runtime.GC()
	}
	runtime.ReadMemStats(&memory)
	return memory.HeapAlloc + memory.StackInuse
}

func change(answers int64, index, bytes string) string {
	next := decode(bytes)
	runtime.GC()
	expected := arrived.Load() + answers
	cpu := cpuNanos()
	start := time.Now()
	clusters[number(index)] = next
	publish()
	await(expected)
	nanos := time.Since(start).Nanoseconds()
	time.Sleep(afterwards)
	return fmt.Sprint(nanos, " ", cpuNanos()-cpu)
}

func publish() {
	version++
	snapshot, err := cache.NewSnapshot(strconv.Itoa(version), map[resource.Type][]types.Resource{resource.ClusterType: clusters})
	check(err)
	check(snapshots.SetSnapshot(context.Background(), "all", snapshot))
}

func cpuNanos() int64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func decode(text string) *cluster.Cluster {
	bytes, err := base64.StdEncoding.DecodeString(text)
	check(err)
	decoded := &cluster.Cluster{}
	check(proto.Unmarshal(bytes, decoded))
	return decoded
}

func number(text string) int64 {
	value, err := strconv.ParseInt(text, 10, 64)
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
