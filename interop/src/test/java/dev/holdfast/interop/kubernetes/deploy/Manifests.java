// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes.deploy;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.holdfast.interop.TestSources;
import dev.holdfast.interop.kubernetes.KubeApi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The files of {@code deploy}. */
final class Manifests {
  static final Path DEPLOY = TestSources.repositoryRoot().resolve("deploy");

  private static final String HEADER =
      """
      # SPDX-License-Identifier: Apache-2.0
      #
      # Holdfast in a cluster: kubectl apply -f deploy/holdfast.yaml
      #
      # Made of deploy/crds and deploy/base by ManifestsTest; do not edit. docs/kubernetes.md explains it.
      """;

  private Manifests() {}

  static String read(String file) {
    return read(DEPLOY.resolve(file));
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What {@code holdfast.yaml} has to be: the files of the base, one after the other. */
  static String composed() {
    List<String> parts = new ArrayList<>();
    for (Path file : resources(DEPLOY.resolve("base"))) {
      parts.add(read(file).strip());
    }
    return HEADER + "---\n" + String.join("\n---\n", parts) + "\n";
  }

  /** The files that a kustomization lists, and those of the kustomizations that it lists. */
  private static List<Path> resources(Path directory) {
    List<Path> files = new ArrayList<>();
    JsonObject kustomization =
        KubeApi.documents(read(directory.resolve("kustomization.yaml"))).get(0);
    for (JsonElement each : kustomization.getAsJsonArray("resources")) {
      Path resource = directory.resolve(each.getAsString()).normalize();
      if (Files.isDirectory(resource)) {
        files.addAll(resources(resource));
      } else {
        files.add(resource);
      }
    }
    return files;
  }

  /** The one object of a kind in a text. */
  static JsonObject only(String kind, String manifests) {
    List<JsonObject> found =
        KubeApi.documents(manifests).stream()
            .filter(object -> object.get("kind").getAsString().equals(kind))
            .toList();
    if (found.size() != 1) {
      throw new AssertionError(kind + ": " + found.size() + " (expected: 1)");
    }
    return found.get(0);
  }
}
