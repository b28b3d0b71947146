// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.assemble;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A shared resource does not depend on the order in which its fragments were added. */
class SharedResourceTest {
  private static final SharedResource EMPTY =
      SharedResource.empty(new SharedResource.Field(2, "virtual_hosts"));
  private static final ResourceId ID = new ResourceId(ResourceType.ROUTES, "all");
  private static final com.google.protobuf.ByteString SKELETON =
      Digests.serialise(RouteConfiguration.newBuilder().setName("all").build());

  private static Fragment fragment(String name, String cluster) {
    ObjectKey key = new ObjectKey("HTTPProxy", "default", name);
    var bytes =
        Digests.serialise(VirtualHost.newBuilder().setName(name).addDomains(cluster).build());
    return new Fragment(
        bytes,
        Digests.of(bytes),
        new TreeMap<>(Map.of(key, Digests.of(bytes))),
        new TreeSet<>(List.of(cluster)),
        new TreeSet<>(),
        new FieldOrigin(key, 1, "spec"),
        List.of(),
        List.of());
  }

  private static List<String> names(Resource resource) throws InvalidProtocolBufferException {
    return RouteConfiguration.parseFrom(resource.body()).getVirtualHostsList().stream()
        .map(VirtualHost::getName)
        .toList();
  }

  private static String text(SharedResource shared) {
    Resource resource = shared.resource(ID, SKELETON);
    return resource.version()
        + " "
        + Digests.of(resource.body())
        + resource.contributions()
        + resource.clusters()
        + resource.provenance().places();
  }

  @Test
  void fragmentsAreOrderedByName() throws InvalidProtocolBufferException {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      names.add("host-" + i);
    }
    Collections.shuffle(names, new Random(1));
    SharedResource shared = EMPTY;
    for (String name : names) {
      shared = shared.with(name, fragment(name, "c"));
    }
    Collections.sort(names);

    assertThat(names(shared.resource(ID, SKELETON))).isEqualTo(names);
  }

  @Test
  void orderOfChangesDoesNotMatter() {
    Random random = new Random(2);
    TreeMap<String, Fragment> model = new TreeMap<>();
    SharedResource shared = EMPTY;
    for (int step = 0; step < 3000; step++) {
      String name = "host-" + random.nextInt(400);
      Fragment fragment = random.nextInt(3) == 0 ? null : fragment(name, "c" + random.nextInt(5));
      shared = shared.with(name, fragment);
      if (fragment == null) {
        model.remove(name);
      } else {
        model.put(name, fragment);
      }
      if (step % 100 == 0) {
        SharedResource atOnce = EMPTY;
        for (Map.Entry<String, Fragment> entry : model.descendingMap().entrySet()) {
          atOnce = atOnce.with(entry.getKey(), entry.getValue());
        }
        assertThat(text(shared)).as("step %d", step).isEqualTo(text(atOnce));
      }
    }
    for (String name : model.keySet()) {
      shared = shared.with(name, null);
    }
    assertThat(shared.isEmpty()).isTrue();
    assertThat(text(shared)).isEqualTo(text(EMPTY));
  }

  @Test
  void clusterStaysAsLongAsAFragmentUsesIt() {
    SharedResource both = EMPTY.with("a", fragment("a", "c")).with("b", fragment("b", "c"));

    assertThat(both.with("a", null).resource(ID, SKELETON).clusters().containsKey("c")).isTrue();
    assertThat(both.with("a", null).with("b", null).resource(ID, SKELETON).clusters().isEmpty())
        .isTrue();
  }

  @Test
  void changedFragmentChangesTheVersion() {
    SharedResource one = EMPTY.with("a", fragment("a", "c")).with("b", fragment("b", "c"));
    SharedResource other = one.with("b", fragment("b", "d"));

    Resource before = one.resource(ID, SKELETON);
    Resource after = other.resource(ID, SKELETON);
    assertThat(after.version()).isNotEqualTo(before.version());
    ObjectKey a = new ObjectKey("HTTPProxy", "default", "a");
    ObjectKey b = new ObjectKey("HTTPProxy", "default", "b");
    assertThat(after.contributions().get(a)).isEqualTo(before.contributions().get(a));
    assertThat(after.contributions().get(b)).isNotEqualTo(before.contributions().get(b));
  }
}
