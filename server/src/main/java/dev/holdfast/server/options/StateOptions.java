// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import static java.util.Objects.requireNonNull;

import dev.holdfast.store.etcd.EtcdCredentials;
import dev.holdfast.store.etcd.EtcdPlace;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where the state is kept. The text of one is for people. */
public sealed interface StateOptions {
  /** A SQLite file. */
  record InFile(Path path) implements StateOptions {
    public InFile {
      requireNonNull(path, "path");
    }

    @Override
    public String toString() {
      return path.toString();
    }
  }

  /**
   * Objects of the cluster that is served. Several replicas may have the same state: one of them
   * leads, the others wait.
   */
  record InCluster(String namespace, String name) implements StateOptions {
    public InCluster {
      requireNonNull(namespace, "namespace");
      requireNonNull(name, "name");
    }

    @Override
    public String toString() {
      return SCHEME + namespace + "/" + name;
    }
  }

  /**
   * Keys of an etcd. Several servers may have the same state: one of them leads, the others wait.
   *
   * @param credentials for the etcd
   */
  record InEtcd(EtcdPlace place, EtcdCredentials credentials) implements StateOptions {
    public InEtcd {
      requireNonNull(place, "place");
      requireNonNull(credentials, "credentials");
    }

    @Override
    public String toString() {
      return place.toString();
    }
  }

  /** What a place in a cluster begins with. */
  String SCHEME = "kubernetes:";

  /**
   * A file, {@code kubernetes:NAMESPACE/NAME}, or {@code etcd://HOST:PORT/PREFIX}.
   *
   * @param paths makes a path of a text
   * @throws IllegalArgumentException if it is none of them
   */
  static StateOptions parse(String text, Function<String, Path> paths) {
    if (EtcdPlace.isOne(text)) {
      return new InEtcd(EtcdPlace.parse(text), EtcdCredentials.none());
    }
    if (!text.startsWith(SCHEME)) {
      return new InFile(paths.apply(text));
    }
    String label = "[a-z0-9](?:[-a-z0-9]{0,51}[a-z0-9])?";
    Matcher place =
        Pattern.compile("(" + label + ")/(" + label + ")").matcher(text.substring(SCHEME.length()));
    if (!place.matches()) {
      throw new IllegalArgumentException(
          "'"
              + text
              + "' (expected: a file, kubernetes:NAMESPACE/NAME, or etcd://HOST:PORT/PREFIX)");
    }
    return new InCluster(place.group(1), place.group(2));
  }

  /**
   * A state with credentials, which only one in an etcd has. Each is a file, or null.
   *
   * @param state null if the same place names none
   * @throws IllegalArgumentException if there are credentials and no etcd
   */
  static @Nullable StateOptions withCredentials(
      @Nullable StateOptions state,
      @Nullable Path ca,
      @Nullable Path certificate,
      @Nullable Path key,
      @Nullable Path userFile) {
    EtcdCredentials credentials = new EtcdCredentials(ca, certificate, key, userFile);
    if (credentials.equals(EtcdCredentials.none())) {
      return state;
    }
    if (!(state instanceof InEtcd etcd)) {
      throw new IllegalArgumentException(
          "credentials of an etcd without a state in one (expected: etcd://HOST:PORT/PREFIX as the"
              + " state, at the same place)");
    }
    return new InEtcd(etcd.place(), credentials);
  }
}
