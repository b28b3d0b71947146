// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os/exec"
	"strings"
	"sync/atomic"
)

const (
	bridge      = "pods"
	hostAddress = "10.244.0.1"
	// The suite has to know before the pod exists where Envoy will listen.
	envoyAddress = "10.244.0.10"
)

var (
	lastPod  atomic.Int32
	lastVeth atomic.Int32
)

func command(name string, args ...string) error {
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, out)
	}
	return nil
}

// startNetwork makes the side of the network that all pods share.
func startNetwork() error {
	return command("sh", "-ec", `ip link set lo up
		ip link add `+bridge+` type bridge
		ip addr add `+hostAddress+`/16 dev `+bridge+`
		ip link set `+bridge+` up`)
}

func newPodAddress() string {
	n := lastPod.Add(1)
	return fmt.Sprintf("10.244.%d.%d", 1+n/250, 1+n%250)
}

// connectPod gives the network namespace of a process an address.
func connectPod(pid int, address string) error {
	veth := fmt.Sprintf("veth%d", lastVeth.Add(1))
	return command("sh", "-ec", fmt.Sprintf(`ip link add %[1]s type veth peer name eth0 netns %[2]d
		ip link set %[1]s master %[3]s up
		nsenter -t %[2]d -n sh -ec '
			ip link set lo up
			ip addr add %[4]s/16 dev eth0
			ip link set eth0 up
			ip route add default via %[5]s'`, veth, pid, bridge, address, hostAddress))
}
