// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A generation of an object that proxies accepted, kept so that it can be served when a later one
 * cannot.
 *
 * <p>What a Secret holds is never kept: of its body only the fields that are known to be harmless
 * stay, with the names of the entries that everybody calls the same, and no annotation does,
 * because tools write whole objects into them. The digest tells whether the secret that is there
 * now is the one that was accepted.
 *
 * @param object the object; without what must not be kept
 * @param digest that of the body as its author wrote it
 */
public record AcceptedSpec(ConfigObject object, String digest) {
  private static final String SECRET = "Secret";
  private static final Set<String> HARMLESS = Set.of("type", "immutable");

  /** The field that names those entries of a Secret which say what it can be used for. */
  public static final String ENTRIES = "entries";

  private static final List<String> WELL_KNOWN = List.of("ca.crt", "crl.pem", "tls.crt", "tls.key");

  /** Where a Secret stands whose content is not known any more. No source has such a place. */
  private static final Position NOT_STORED = Position.of("content not stored");

  public AcceptedSpec {
    requireNonNull(digest, "digest");
    object = isSecret(object.key()) ? withoutSecrets(object) : object;
  }

  /** An object that was accepted as it is. */
  public static AcceptedSpec of(ConfigObject object) {
    return new AcceptedSpec(object, Digest.of(object.body()));
  }

  /** Whether the body is all that its author wrote. It is not if it is that of a Secret. */
  public boolean isWhole() {
    return !isSecret(object.key());
  }

  /** The object to go on with, if its source does not have it any more. */
  public ConfigObject restored() {
    return isWhole()
        ? object
        : new ConfigObject(
            object.key(),
            object.apiVersion(),
            object.uid(),
            object.generation(),
            object.created(),
            object.labels(),
            object.annotations(),
            new Mapping(object.body().fields(), NOT_STORED));
  }

  /**
   * Whether this is a Secret that was {@linkplain #restored restored}: it exists, and proxies may
   * hold its content, but nobody here knows it.
   */
  public static boolean isWithoutContent(ConfigObject object) {
    return isSecret(object.key()) && object.body().position().equals(NOT_STORED);
  }

  /** Kinds are told apart by case, but a secret under a misspelt kind is a secret all the same. */
  private static boolean isSecret(ObjectKey key) {
    return key.kind().equalsIgnoreCase(SECRET);
  }

  private static ConfigObject withoutSecrets(ConfigObject object) {
    Mapping body = object.body();
    Map<String, Value> fields = new LinkedHashMap<>();
    body.fields()
        .forEach(
            (name, value) -> {
              if (HARMLESS.contains(name) && value instanceof Scalar) {
                fields.put(name, value);
              }
            });
    List<Value> entries = entries(body);
    if (!entries.isEmpty()) {
      fields.put(ENTRIES, new Sequence(entries, body.position()));
    }
    return new ConfigObject(
        object.key(),
        object.apiVersion(),
        object.uid(),
        object.generation(),
        object.created(),
        object.labels(),
        Collections.emptySortedMap(),
        new Mapping(fields, body.position()));
  }

  private static List<Value> entries(Mapping body) {
    Set<String> names = new HashSet<>();
    for (String field : List.of("data", "stringData")) {
      if (body.get(field) instanceof Mapping data) {
        names.addAll(data.fields().keySet());
      }
    }
    if (body.get(ENTRIES) instanceof Sequence kept) { // it was stored before
      for (Value value : kept.elements()) {
        if (value instanceof Scalar scalar && scalar.value() instanceof String name) {
          names.add(name);
        }
      }
    }
    List<Value> entries = new ArrayList<>();
    for (String name : WELL_KNOWN) {
      if (names.contains(name)) {
        entries.add(new Scalar(name, body.position()));
      }
    }
    return entries;
  }
}
