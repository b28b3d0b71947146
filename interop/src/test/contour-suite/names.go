// SPDX-License-Identifier: Apache-2.0

package main

import (
	"net"
	"strings"

	"golang.org/x/net/dns/dnsmessage"
)

// answerNames is the DNS server of the pods: NAME.NAMESPACE, with or without svc.cluster.local.
func (s *services) answerNames() error {
	socket, err := net.ListenPacket("udp", hostAddress+":53")
	if err != nil {
		return err
	}
	go func() {
		buffer := make([]byte, 4096)
		for {
			n, from, err := socket.ReadFrom(buffer)
			if err != nil {
				return
			}
			if answer := s.answer(buffer[:n]); answer != nil {
				_, _ = socket.WriteTo(answer, from)
			}
		}
	}()
	return nil
}

func (s *services) answer(query []byte) []byte {
	var message dnsmessage.Message
	if err := message.Unpack(query); err != nil || len(message.Questions) != 1 {
		return nil
	}
	question := message.Questions[0]
	reply := dnsmessage.Message{
		Header: dnsmessage.Header{
			ID: message.ID, Response: true, RecursionDesired: message.RecursionDesired, RecursionAvailable: true,
		},
		Questions: message.Questions,
	}
	address := s.lookUp(question.Name.String())
	switch {
	case address == nil:
		reply.RCode = dnsmessage.RCodeNameError
	case question.Type == dnsmessage.TypeA:
		reply.Answers = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{
				Name: question.Name, Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET, TTL: 5,
			},
			Body: &dnsmessage.AResource{A: [4]byte(address)},
		}}
	}
	packed, err := reply.Pack()
	if err != nil {
		return nil
	}
	return packed
}

func (s *services) lookUp(name string) net.IP {
	name = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(name), "."), ".svc.cluster.local")
	service, namespace, found := strings.Cut(name, ".")
	if !found {
		return nil
	}
	object, err := s.services.Services(namespace).Get(service)
	if err != nil {
		return nil
	}
	return net.ParseIP(object.Spec.ClusterIP).To4()
}
