// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"

	core "k8s.io/api/core/v1"
	discovery "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	listers "k8s.io/client-go/listers/core/v1"
	slicelisters "k8s.io/client-go/listers/discovery/v1"
	"k8s.io/client-go/tools/cache"
)

// services lets pods reach Services by their cluster addresses and names.
type services struct {
	services listers.ServiceLister
	slices   slicelisters.EndpointSliceLister
	mutex    sync.Mutex
	open     map[string][]net.Listener // by namespace/name
	next     atomic.Uint32
}

func startServices(ctx context.Context, c *cluster) error {
	factory := informers.NewSharedInformerFactory(c.client, 0)
	s := &services{
		services: factory.Core().V1().Services().Lister(),
		slices:   factory.Discovery().V1().EndpointSlices().Lister(),
		open:     map[string][]net.Listener{},
	}
	_, err := factory.Core().V1().Services().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { s.listen(object.(*core.Service)) },
		UpdateFunc: func(_, object any) { s.listen(object.(*core.Service)) },
		DeleteFunc: func(object any) {
			if service, ok := object.(*core.Service); ok {
				s.close(service)
			}
		},
	})
	if err != nil {
		return err
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	return s.answerNames()
}

func key(o interface {
	GetNamespace() string
	GetName() string
}) string {
	return o.GetNamespace() + "/" + o.GetName()
}

func (s *services) close(service *core.Service) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, listener := range s.open[key(service)] {
		listener.Close()
	}
	delete(s.open, key(service))
}

func (s *services) listen(service *core.Service) {
	address := service.Spec.ClusterIP
	if address == "" || address == core.ClusterIPNone {
		return
	}
	s.close(service)
	_ = command("ip", "addr", "replace", address+"/32", "dev", bridge)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, port := range service.Spec.Ports {
		listener, err := net.Listen("tcp", fmt.Sprintf("%s:%d", address, port.Port))
		if err != nil {
			fmt.Printf("Service %s: %v\n", key(service), err)
			continue
		}
		s.open[key(service)] = append(s.open[key(service)], listener)
		go s.accept(listener, service, port.Name)
	}
}

func (s *services) accept(listener net.Listener, service *core.Service, port string) {
	for {
		from, err := listener.Accept()
		if err != nil {
			return
		}
		go func() {
			defer from.Close()
			to, err := s.dial(service, port)
			if err != nil {
				return
			}
			defer to.Close()
			go func() {
				_, _ = io.Copy(to, from)
				_ = to.(*net.TCPConn).CloseWrite()
			}()
			_, _ = io.Copy(from, to)
		}()
	}
}

func (s *services) dial(service *core.Service, port string) (net.Conn, error) {
	ofService := labels.SelectorFromSet(labels.Set{discovery.LabelServiceName: service.Name})
	found, err := s.slices.EndpointSlices(service.Namespace).List(ofService)
	if err != nil {
		return nil, err
	}
	var addresses []string
	for _, slice := range found {
		for _, p := range slice.Ports {
			if p.Name == nil || *p.Name != port || p.Port == nil {
				continue
			}
			for _, endpoint := range slice.Endpoints {
				if endpoint.Conditions.Ready == nil || *endpoint.Conditions.Ready {
					addresses = append(addresses, fmt.Sprintf("%s:%d", endpoint.Addresses[0], *p.Port))
				}
			}
		}
	}
	if len(addresses) == 0 {
		return nil, fmt.Errorf("service %s has no endpoints", key(service))
	}
	return net.Dial("tcp", addresses[int(s.next.Add(1))%len(addresses)])
}
