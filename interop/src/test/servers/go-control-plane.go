// SPDX-License-Identifier: Apache-2.0

// go-control-plane's server on a port of the loopback interface. Each line on standard input is a snapshot, as
// JavaControlPlaneMain reads it: VERSION [listener NAME=ROUTE | route NAME=CLUSTER | cluster NAME | bad NAME |
// endpoint NAME=PORT]...; bad is a cluster that gRPC rejects.
package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"

	cluster "github.com/envoyproxy/go-control-plane/envoy/config/cluster/v3"
	core "github.com/envoyproxy/go-control-plane/envoy/config/core/v3"
	endpoint "github.com/envoyproxy/go-control-plane/envoy/config/endpoint/v3"
	listener "github.com/envoyproxy/go-control-plane/envoy/config/listener/v3"
	route "github.com/envoyproxy/go-control-plane/envoy/config/route/v3"
	router "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/http/router/v3"
	hcm "github.com/envoyproxy/go-control-plane/envoy/extensions/filters/network/http_connection_manager/v3"
	discovery "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"github.com/envoyproxy/go-control-plane/pkg/cache/types"
	"github.com/envoyproxy/go-control-plane/pkg/cache/v3"
	"github.com/envoyproxy/go-control-plane/pkg/resource/v3"
	"github.com/envoyproxy/go-control-plane/pkg/server/v3"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

type sameForAll struct{}

func (sameForAll) ID(*core.Node) string { return "all" }

func main() {
	snapshots := cache.NewSnapshotCache(true, sameForAll{}, nil)
	ads := grpc.NewServer()
	discovery.RegisterAggregatedDiscoveryServiceServer(ads, server.NewServer(context.Background(), snapshots, nil))
	socket, err := net.Listen("tcp", "127.0.0.1:"+os.Args[1])
	check(err)
	go func() { check(ads.Serve(socket)) }()
	fmt.Println("port", socket.Addr().(*net.TCPAddr).Port)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		words := strings.Fields(lines.Text())
		snapshot, err := cache.NewSnapshot(words[0], resources(words[1:]))
		check(err)
		check(snapshots.SetSnapshot(context.Background(), "all", snapshot))
		fmt.Println("set", lines.Text())
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func resources(words []string) map[resource.Type][]types.Resource {
	all := map[resource.Type][]types.Resource{}
	for i := 0; i+1 < len(words); i += 2 {
		name, value, _ := strings.Cut(words[i+1], "=")
		switch words[i] {
		case "cluster":
			all[resource.ClusterType] = append(all[resource.ClusterType], edsCluster(name))
		case "bad":
			all[resource.ClusterType] = append(all[resource.ClusterType], &cluster.Cluster{
				Name:                 name,
				ClusterDiscoveryType: &cluster.Cluster_Type{Type: cluster.Cluster_ORIGINAL_DST},
			})
		case "endpoint":
			all[resource.EndpointType] = append(all[resource.EndpointType], endpoints(name, value))
		case "route":
			all[resource.RouteType] = append(all[resource.RouteType], routes(name, value))
		case "listener":
			all[resource.ListenerType] = append(all[resource.ListenerType], apiListener(name, value))
		default:
			check(fmt.Errorf("%q (expected: cluster, bad, endpoint, route or listener)", words[i]))
		}
	}
	return all
}

func adsSource() *core.ConfigSource {
	return &core.ConfigSource{ConfigSourceSpecifier: &core.ConfigSource_Ads{Ads: &core.AggregatedConfigSource{}}}
}

func edsCluster(name string) *cluster.Cluster {
	return &cluster.Cluster{
		Name:                 name,
		ClusterDiscoveryType: &cluster.Cluster_Type{Type: cluster.Cluster_EDS},
		EdsClusterConfig:     &cluster.Cluster_EdsClusterConfig{EdsConfig: adsSource()},
	}
}

func endpoints(name, port string) *endpoint.ClusterLoadAssignment {
	number, err := strconv.ParseUint(port, 10, 16)
	check(err)
	address := &core.Address{Address: &core.Address_SocketAddress{SocketAddress: &core.SocketAddress{
		Address:       "127.0.0.1",
		PortSpecifier: &core.SocketAddress_PortValue{PortValue: uint32(number)},
	}}}
	return &endpoint.ClusterLoadAssignment{
		ClusterName: name,
		Endpoints: []*endpoint.LocalityLbEndpoints{{
			Locality: &core.Locality{Zone: "z"},
			LbEndpoints: []*endpoint.LbEndpoint{{HostIdentifier: &endpoint.LbEndpoint_Endpoint{
				Endpoint: &endpoint.Endpoint{Address: address},
			}}},
			LoadBalancingWeight: wrapperspb.UInt32(1),
		}},
	}
}

func routes(name, target string) *route.RouteConfiguration {
	return &route.RouteConfiguration{
		Name: name,
		VirtualHosts: []*route.VirtualHost{{
			Name:    "v",
			Domains: []string{"*"},
			Routes: []*route.Route{{
				Match: &route.RouteMatch{PathSpecifier: &route.RouteMatch_Prefix{Prefix: ""}},
				Action: &route.Route_Route{Route: &route.RouteAction{
					ClusterSpecifier: &route.RouteAction_Cluster{Cluster: target},
				}},
			}},
		}},
	}
}

func apiListener(name, routes string) *listener.Listener {
	manager := &hcm.HttpConnectionManager{
		RouteSpecifier: &hcm.HttpConnectionManager_Rds{
			Rds: &hcm.Rds{RouteConfigName: routes, ConfigSource: adsSource()},
		},
		HttpFilters: []*hcm.HttpFilter{{
			Name:       "router",
			ConfigType: &hcm.HttpFilter_TypedConfig{TypedConfig: packed(&router.Router{})},
		}},
	}
	return &listener.Listener{Name: name, ApiListener: &listener.ApiListener{ApiListener: packed(manager)}}
}

func packed(message proto.Message) *anypb.Any {
	any, err := anypb.New(message)
	check(err)
	return any
}
