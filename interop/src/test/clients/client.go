// SPDX-License-Identifier: Apache-2.0

// Calls with grpc-go, once per line of input, METHOD [HEADER=VALUE]..., and answers each with a line: CODE TEXT.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/credentials/xds"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	_ "google.golang.org/grpc/xds"
)

type text struct{}

func (text) Marshal(v any) ([]byte, error)      { return *v.(*[]byte), nil }
func (text) Unmarshal(data []byte, v any) error { *v.(*[]byte) = data; return nil }
func (text) Name() string                       { return "text" }

func channelCredentials() credentials.TransportCredentials {
	plain := insecure.NewCredentials()
	if os.Getenv("CHANNEL_CREDENTIALS") != "xds" {
		return plain
	}
	byControlPlane, err := xds.NewClientCredentials(xds.ClientOptions{FallbackCreds: plain})
	if err != nil {
		fmt.Println("FAILED", err)
		os.Exit(1)
	}
	return byControlPlane
}

func main() {
	channel, err := grpc.NewClient("xds:///"+os.Args[1],
		grpc.WithTransportCredentials(channelCredentials()),
		grpc.WithDefaultCallOptions(grpc.ForceCodec(text{})))
	if err != nil {
		fmt.Println("FAILED", err)
		os.Exit(1)
	}
	fmt.Println("ready")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		words := strings.Fields(lines.Text())
		for _, header := range words[1:] {
			name, value, _ := strings.Cut(header, "=")
			ctx = metadata.AppendToOutgoingContext(ctx, name, value)
		}
		var answer []byte
		var received metadata.MD
		request := []byte{}
		err := channel.Invoke(ctx, words[0], &request, &answer, grpc.Header(&received))
		cancel()
		if err == nil {
			said := "OK " + string(answer)
			for _, cookie := range received.Get("set-cookie") {
				said += " set-cookie: " + cookie
			}
			fmt.Println(said)
		} else {
			said := status.Convert(err)
			fmt.Println(strings.ToUpper(said.Code().String()) + " " + strings.Join(strings.Fields(said.Message()), " "))
		}
	}
}
