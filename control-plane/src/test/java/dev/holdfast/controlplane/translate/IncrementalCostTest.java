// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static dev.holdfast.controlplane.translate.YamlObjects.proxy;
import static dev.holdfast.controlplane.translate.YamlObjects.root;
import static dev.holdfast.controlplane.translate.YamlObjects.routes;
import static dev.holdfast.controlplane.translate.YamlObjects.service;
import static dev.holdfast.controlplane.translate.YamlObjects.to;
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

/** The number of derivations follows the size of the change, not the number of objects. */
class IncrementalCostTest {
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
    return YamlObjects.translation(yaml.toString());
  }

  private static List<String> changed(Translation after) {
    List<String> ids = new ArrayList<>();
    Snapshot.diff(MANY.snapshot(), after.snapshot(), (id, before, is) -> ids.add(id.toString()));
    return ids;
  }

  @Test
  void editOfOneRootDerivesOneHost() {
    Translation after =
        MANY.with(YamlObjects.objects(root("r7", routes(to("s7"), YamlObjects.at("/x", "s7")))));

    assertThat(after.work()).isEqualTo(new Work(1, 1, 1, 0, 0));
    assertThat(changed(after))
        .containsExactly("RouteConfiguration/ingress_http", "RouteConfiguration/api/r7.com");
  }

  @Test
  void endpointChangeDerivesOneAssignment() {
    Translation after = MANY.with(YamlObjects.objects(YamlObjects.slice("s7", "s7-1", "10.0.0.9")));

    assertThat(after.work()).isEqualTo(new Work(0, 0, 0, 1, 0));
    assertThat(changed(after)).containsExactly("ClusterLoadAssignment/default/s7/80");
  }

  @Test
  void editOfAnIncludedProxyDerivesItsRoots() {
    Translation after =
        MANY.with(YamlObjects.objects(proxy("child", routes(YamlObjects.at("/x", "shared")))));

    assertThat(after.work().hosts()).isEqualTo(5);
  }

  @Test
  void movedObjectDerivesNothing() {
    Translation after =
        MANY.with(YamlObjects.objects("# moved down\n" + root("r7", routes(to("s7")))));

    assertThat(after.work().hosts()).isZero();
    assertThat(changed(after)).isEmpty();
  }

  @Test
  void noChangeReturnsTheSameTranslation() {
    String yaml = service("s") + root("a", routes(to("s")));
    Translation translation = YamlObjects.translation(yaml);

    assertThat(translation.with(YamlObjects.objects(yaml))).isSameAs(translation);
  }

  @Test
  void newGenerationWithEqualBytesUpdatesProvenance() {
    ObjectKey key = YamlObjects.proxyKey("r7");
    var changes = YamlObjects.objects(root("r7", routes(to("s7"))));
    changes.computeIfPresent(key, (unused, object) -> object.with(2, Instant.EPOCH));
    Translation after = MANY.with(changes);

    assertThat(changed(after)).isEmpty();
    TranslatedObject object = after.objects().get(key);
    assertThat(object == null ? 0 : object.generation()).isEqualTo(2);
    assertThat(
            TranslationText.places(
                TranslationText.resource(after, ResourceType.ROUTES, "api/r7.com")))
        .contains("virtual_hosts[0] <- HTTPProxy/default/r7@2 spec.virtualhost");
  }

  @Test
  void footprintsMatchContributions() {
    MANY.objects()
        .forEach(
            (key, object) ->
                object
                    .footprint()
                    .forEach((id, digest) -> assertThat(part(id, key)).isEqualTo(digest)));
    TranslatedObject child = MANY.objects().get(YamlObjects.proxyKey("child"));
    assertThat(child == null ? 0 : child.footprint().size()).isEqualTo(6);
  }

  private static String part(ResourceId id, ObjectKey key) {
    return String.valueOf(
        TranslationText.resource(MANY, id.type(), id.name()).contributions().get(key));
  }
}
