// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.selection;

import static dev.holdfast.controlplane.translate.YamlObjects.root;
import static dev.holdfast.controlplane.translate.YamlObjects.routes;
import static dev.holdfast.controlplane.translate.YamlObjects.service;
import static dev.holdfast.controlplane.translate.YamlObjects.to;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.translate.TranslatedObject;
import dev.holdfast.controlplane.translate.Translation;
import dev.holdfast.controlplane.translate.TranslationOptions;
import dev.holdfast.controlplane.translate.YamlObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BaselineTest {
  private static final int HOSTS = 200;
  private static final Translation EMPTY = Translation.empty(TranslationOptions.defaults());

  private final SortedMap<ObjectKey, ConfigObject> all = new TreeMap<>();
  private final Baseline served = new Baseline(EMPTY, key -> {});
  private final Baseline nothing = new Baseline(EMPTY, key -> {});

  @BeforeEach
  void serve() {
    StringBuilder yaml = new StringBuilder();
    for (int i = 0; i < HOSTS; i++) {
      yaml.append(service("s" + i)).append(root("r" + i, routes(to("s" + i))));
    }
    put(all, yaml.toString());
    served.commit(all, served.with(all));
    nothing.translateLike(served);
  }

  private static void put(SortedMap<ObjectKey, ConfigObject> to, String yaml) {
    YamlObjects.objects(yaml)
        .forEach(
            (key, object) -> {
              if (object != null) {
                to.put(key, object);
              }
            });
  }

  private static Translation fromScratch(SortedMap<ObjectKey, ConfigObject> objects) {
    return new Baseline(EMPTY, key -> {}).with(objects);
  }

  private static List<ResourceId> differences(Translation one, Translation other) {
    List<ResourceId> different = new ArrayList<>();
    Snapshot.diff(
        one.snapshot(),
        other.snapshot(),
        (id, here, there) -> {
          if (!Objects.equals(here, there)) {
            different.add(id);
          }
        });
    return different;
  }

  private static @Nullable TranslatedObject translated(String proxy, Translation translation) {
    return translation.objects().get(new ObjectKey("HTTPProxy", "default", proxy));
  }

  @Test
  void tryingOnNothingWhatAnotherSelectionServesTranslatesNothing() {
    assertThat(nothing.with(all)).isSameAs(served.translation());
  }

  @Test
  void tryingOnNothingMostOfWhatAnotherSelectionServesTranslatesTheDifference() {
    SortedMap<ObjectKey, ConfigObject> tried = new TreeMap<>(all);
    tried.remove(new ObjectKey("HTTPProxy", "default", "r7"));
    put(tried, root("r8", routes(to("s9"))));

    Translation translation = nothing.with(tried);

    Translation whole = fromScratch(tried);
    assertThat(differences(translation, whole)).isEmpty();
    assertThat(translated("r7", translation)).isNull();
    assertThat(translated("r5", translation)).isSameAs(translated("r5", served.translation()));
    assertThat(translated("r5", whole)).isNotSameAs(translated("r5", served.translation()));
  }

  @Test
  void aSmallTrialIsTranslatedByItself() {
    SortedMap<ObjectKey, ConfigObject> tried = new TreeMap<>();
    put(tried, service("s0") + root("r0", routes(to("s0"))));

    Translation translation = nothing.with(tried);

    assertThat(differences(translation, fromScratch(tried))).isEmpty();
    assertThat(translated("r0", translation)).isNotSameAs(translated("r0", served.translation()));
  }

  @Test
  void whatWasCommittedSinceIsPartOfATrial() {
    SortedMap<ObjectKey, ConfigObject> first = new TreeMap<>();
    put(first, service("own") + root("own", routes(to("own"))));
    nothing.commit(first, nothing.with(first));

    SortedMap<ObjectKey, ConfigObject> both = new TreeMap<>(all);
    both.putAll(first);
    Translation translation = nothing.with(all);
    assertThat(differences(translation, fromScratch(both))).isEmpty();
    assertThat(translated("r5", translation)).isSameAs(translated("r5", served.translation()));
  }
}
