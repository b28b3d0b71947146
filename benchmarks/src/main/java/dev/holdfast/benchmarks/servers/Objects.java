// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.servers;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Value;
import dev.holdfast.config.files.Documents;
import dev.holdfast.config.files.ObjectReader;
import dev.holdfast.config.files.ReadResult;
import dev.holdfast.config.files.YamlReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;

/** Routing objects as authors write them. */
public final class Objects {
  private static final Instant CREATED = Instant.EPOCH;

  private Objects() {}

  /** Hosts without TLS, which share one route configuration, and the services behind them. */
  public static SortedMap<ObjectKey, ConfigObject> hosts(int hosts, int services) {
    SortedMap<ObjectKey, ConfigObject> objects = new TreeMap<>();
    for (int i = 0; i < services; i++) {
      add(objects, service(i, 1024));
      add(objects, endpoints(i));
    }
    for (int i = 0; i < hosts; i++) {
      add(objects, host(i, i % services, 15));
    }
    return objects;
  }

  private static void add(SortedMap<ObjectKey, ConfigObject> objects, ConfigObject object) {
    objects.put(object.key(), object);
  }

  /** A host with two routes to a service. */
  public static ConfigObject host(int index, int service, int seconds) {
    return read(
        """
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: host-%1$d}
        spec:
          virtualhost: {fqdn: host-%1$d.example.com}
          routes:
          - conditions: [{prefix: /api}]
            timeoutPolicy: {response: %3$ds}
            services: [{name: service-%2$d, port: 80}]
          - services: [{name: service-%2$d, port: 80}]
        """
            .formatted(index, service, seconds));
  }

  /** A service; how many connections it takes is a setting of its cluster. */
  static ConfigObject service(int index, int connections) {
    return read(
        """
        apiVersion: v1
        kind: Service
        metadata:
          name: service-%d
          annotations: {projectcontour.io/max-connections: "%d"}
        spec:
          ports: [{name: http, port: 80}]
        """
            .formatted(index, connections));
  }

  private static ConfigObject endpoints(int index) {
    return read(
        """
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata:
          name: service-%1$d-1
          labels: {kubernetes.io/service-name: service-%1$d}
        addressType: IPv4
        ports: [{name: http, port: 8080}]
        endpoints: [{addresses: [10.0.%2$d.%3$d]}]
        """
            .formatted(index, index / 250 % 250, index % 250));
  }

  private static ConfigObject read(String yaml) {
    Documents documents = YamlReader.read("benchmark", yaml.getBytes(StandardCharsets.UTF_8));
    for (Value document : documents.documents()) {
      ReadResult reading = ObjectReader.read(document);
      for (ConfigObject object : reading.objects()) {
        return object.with(1, CREATED);
      }
    }
    throw new IllegalStateException("no object in\n" + yaml);
  }
}
