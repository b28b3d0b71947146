// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static dev.holdfast.controlplane.translate.Given.proxy;
import static dev.holdfast.controlplane.translate.Given.root;
import static dev.holdfast.controlplane.translate.Given.routes;
import static dev.holdfast.controlplane.translate.Given.service;
import static dev.holdfast.controlplane.translate.Given.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.translate.stage.Stages.Work;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is derived again is what changed, not what exists. */
class CostTest {
  private static final Translation MANY = many();

  private static Translation many() {
    StringBuilder yaml =
        new StringBuilder(service("shared") + proxy("child", routes(to("shared"))));
    for (int i = 0; i < 200; i++) {
      yaml.append(service("s" + i)).append(root("r" + i, routes(to("s" + i))));
    }
    for (int i = 0; i < 5; i++) {
      yaml.append(root("p" + i, "includes: [{name: child}]"));
    }
    return Given.translation(yaml.toString());
  }

  private static List<String> changed(Translation after) {
    List<String> ids = new ArrayList<>();
    Snapshot.diff(MANY.snapshot(), after.snapshot(), (id, before, is) -> ids.add(id.toString()));
    return ids;
  }

  @Test
  void anEditOfOneRootDerivesOneHost() {
    Translation after =
        MANY.with(Given.objects(root("r7", routes(to("s7"), Given.at("/x", "s7")))));

    assertThat(after.work()).isEqualTo(new Work(1, 1, 1, 0, 0));
    assertThat(changed(after))
        .containsExactly("RouteConfiguration/ingress_http", "RouteConfiguration/api/r7.com");
  }

  @Test
  void anEndpointTouchesItsAssignmentOnly() {
    Translation after = MANY.with(Given.objects(Given.slice("s7", "s7-1", "10.0.0.9")));

    assertThat(after.work()).isEqualTo(new Work(0, 0, 0, 1, 0));
    assertThat(changed(after)).containsExactly("ClusterLoadAssignment/default/s7/80");
  }

  @Test
  void anEditOfAChildDerivesItsRoots() {
    Translation after = MANY.with(Given.objects(proxy("child", routes(Given.at("/x", "shared")))));

    assertThat(after.work().hosts()).isEqualTo(5);
  }

  @Test
  void whatOnlyMovedInItsFileIsNoNews() {
    Translation after = MANY.with(Given.objects("# moved down\n" + root("r7", routes(to("s7")))));

    assertThat(after.work().hosts()).isZero();
    assertThat(changed(after)).isEmpty();
  }

  @Test
  void nothingNewIsTheVerySame() {
    String yaml = service("s") + root("a", routes(to("s")));
    Translation translation = Given.translation(yaml);

    assertThat(translation.with(Given.objects(yaml))).isSameAs(translation);
  }

  @Test
  void aNewGenerationWithTheSameBytesIsKnownByItsNumber() {
    ObjectKey key = Given.proxyKey("r7");
    var changes = Given.objects(root("r7", routes(to("s7"))));
    changes.computeIfPresent(key, (unused, object) -> object.with(2, Instant.EPOCH));
    Translation after = MANY.with(changes);

    assertThat(changed(after)).isEmpty();
    TranslatedObject object = after.objects().get(key);
    assertThat(object == null ? 0 : object.generation()).isEqualTo(2);
    assertThat(Then.places(Then.resource(after, ResourceType.ROUTES, "api/r7.com")))
        .contains("virtual_hosts[0] <- HTTPProxy/default/r7@2 spec.virtualhost");
  }

  @Test
  void aFootprintIsWhatResourcesSayOfTheirContributors() {
    MANY.objects()
        .forEach(
            (key, object) ->
                object
                    .footprint()
                    .forEach((id, digest) -> assertThat(part(id, key)).isEqualTo(digest)));
    TranslatedObject child = MANY.objects().get(Given.proxyKey("child"));
    assertThat(child == null ? 0 : child.footprint().size()).isEqualTo(6);
  }

  private static String part(ResourceId id, ObjectKey key) {
    return String.valueOf(Then.resource(MANY, id.type(), id.name()).contributions().get(key));
  }
}
