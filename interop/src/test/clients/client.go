// SPDX-License-Identifier: Apache-2.0

// Calls a method per line of input with grpc-go, and answers each with a line: CODE TEXT.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	_ "google.golang.org/grpc/xds"
)

type text struct{}

func (text) Marshal(v any) ([]byte, error)      { return *v.(*[]byte), nil }
func (text) Unmarshal(data []byte, v any) error { *v.(*[]byte) = data; return nil }
func (text) Name() string                       { return "text" }

func main() {
	channel, err := grpc.NewClient("xds:///"+os.Args[1],
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.ForceCodec(text{})))
	if err != nil {
		fmt.Println("FAILED", err)
		os.Exit(1)
	}
	fmt.Println("ready")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		var answer []byte
		request := []byte{}
		err := channel.Invoke(ctx, strings.TrimSpace(lines.Text()), &request, &answer)
		cancel()
		if err == nil {
			fmt.Println("OK " + string(answer))
		} else {
			said := status.Convert(err)
			fmt.Println(strings.ToUpper(said.Code().String()) + " " + strings.Join(strings.Fields(said.Message()), " "))
		}
	}
}
