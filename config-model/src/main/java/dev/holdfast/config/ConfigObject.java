// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static java.util.Objects.requireNonNull;

import dev.holdfast.base.SortedCopies;
import java.time.Instant;
import java.util.SortedMap;

/**
 * One generation of an object as its author wrote it.
 *
 * @param key what it is called
 * @param apiVersion the version of its kind, such as {@code projectcontour.io/v1}
 * @param uid tells an object from a later one of the same name, where the source can
 * @param generation raised with each change of the body, from 1
 * @param created when the object came to be: the older of two that claim the same thing has it
 * @param labels for selection
 * @param annotations for everything else
 * @param body the document without apiVersion, kind, metadata and status; its position is where the
 *     document starts
 */
public record ConfigObject(
    ObjectKey key,
    String apiVersion,
    String uid,
    long generation,
    Instant created,
    SortedMap<String, String> labels,
    SortedMap<String, String> annotations,
    Mapping body) {
  public ConfigObject {
    requireNonNull(key, "key");
    requireNonNull(apiVersion, "apiVersion");
    requireNonNull(uid, "uid");
    requireNonNull(created, "created");
    requireNonNull(body, "body");
    if (generation < 1) {
      throw new IllegalArgumentException("generation: " + generation + " (expected: from 1)");
    }
    labels = SortedCopies.of(labels);
    annotations = SortedCopies.of(annotations);
  }

  /** The same object under the generation and age that its source gave it. */
  public ConfigObject with(long generation, Instant created) {
    return new ConfigObject(key, apiVersion, uid, generation, created, labels, annotations, body);
  }

  /** Its name and generation; never its body, which may hold private keys. */
  @Override
  public String toString() {
    return key + " generation " + generation;
  }
}
