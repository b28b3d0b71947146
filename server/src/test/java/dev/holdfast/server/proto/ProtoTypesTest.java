// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.proto;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProtoTypesTest {
  @Test
  void everyMessageThatWeHaveCompiledIsFoundByItsName() throws Exception {
    List<String> names = new ArrayList<>();
    for (String className : compiledClasses()) {
      Class<?> type = Class.forName(className, false, getClass().getClassLoader());
      if (Message.class.isAssignableFrom(type) && !type.isInterface()) {
        Message message = (Message) type.getMethod("getDefaultInstance").invoke(null);
        names.add(message.getDescriptorForType().getFullName());
      }
    }

    assertThat(names)
        .hasSizeGreaterThan(100)
        .contains("xds.type.v3.TypedStruct", "udpa.type.v1.TypedStruct")
        .allSatisfy(name -> assertThat(ProtoTypes.find(name)).isPresent());
  }

  @Test
  void theMessagesOfProtobufItselfAreFound() {
    assertThat(ProtoTypes.find("google.protobuf.Duration")).contains(Duration.getDefaultInstance());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Cluster",
        "example.Unknown",
        "envoy.config.cluster.v3.Nothing",
        "envoy.config.cluster.v3.ClusterProto",
        "envoy.config.cluster.v3.Cluster$DiscoveryType",
        "google.protobuf.Message",
        "envoy..Cluster",
        "../Cluster"
      })
  void otherNamesAreNot(String name) {
    assertThat(ProtoTypes.find(name)).isEmpty();
  }

  /** The names of the top-level classes that came with {@link Cluster}, from a jar or directory. */
  private static List<String> compiledClasses() throws IOException, URISyntaxException {
    Path source =
        Path.of(Cluster.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> files;
    if (source.toFile().isDirectory()) {
      try (Stream<Path> paths = java.nio.file.Files.walk(source)) {
        files = paths.map(path -> source.relativize(path).toString()).toList();
      }
    } else {
      try (JarFile jar = new JarFile(source.toFile())) {
        files = jar.stream().map(JarEntry::getName).toList();
      }
    }
    return files.stream()
        .filter(file -> file.endsWith(".class") && !file.contains("$"))
        .filter(file -> !file.endsWith("OrBuilder.class"))
        .map(file -> file.replace(".class", "").replace(File.separatorChar, '.').replace('/', '.'))
        .toList();
  }
}
