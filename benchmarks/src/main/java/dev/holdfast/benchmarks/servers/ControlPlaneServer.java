// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.servers;

import static java.util.Objects.requireNonNull;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import io.grpc.ServerServiceDefinition;
import java.util.List;
import java.util.SortedMap;

/** Holdfast as a whole: services and routes to them in, status of objects and state on disk out. */
final class ControlPlaneServer implements ServerUnderTest {
  private final SortedMap<ObjectKey, ConfigObject> objects;
  private final WholeControlPlane plane;
  private final int count;

  ControlPlaneServer(int count) {
    this.count = count;
    objects = Objects.hosts(count, /* services= */ count);
    plane = new WholeControlPlane(objects);
  }

  @Override
  public List<ServerServiceDefinition> services() {
    return plane.services();
  }

  @Override
  public Port listen() {
    return Port.ofHoldfast(services());
  }

  @Override
  public void change(int number) {
    put(Objects.service(Clusters.index(number, count), 1024 + number));
  }

  private void put(ConfigObject object) {
    ConfigObject before = requireNonNull(objects.get(object.key()));
    ConfigObject next = object.with(before.generation() + 1, before.created());
    objects.put(next.key(), next);
    plane.change(next);
  }

  @Override
  public void close() {
    plane.close();
  }
}
