// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.libraries;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Class paths with other libraries than those of this build, in class loaders of their own. */
class LibraryCheckTest {
  private static final String GRPC_API = "io/grpc/NameResolver.class";
  private static final String ADVICE =
      "; raise it in the build of the application"
          + " (for gRPC: import dev.holdfast:holdfast-bom before other BOMs)";

  @TempDir private Path directory;

  @Test
  void theLibrariesOfThisBuildWillDo() {
    assertThat(LibraryCheck.problem()).isNull();
    LibraryCheck.require();
  }

  @Test
  void anOlderGrpcIsNamedWithItsVersionAndTheOneThatIsNeeded() throws IOException {
    Path old = jar("grpc-core-1.68.3.jar", "1.68.3", List.of("io/grpc/internal/GrpcUtil.class"));

    assertThat(problemBehind(old))
        .isEqualTo(
            "on the class path: io.grpc:grpc-core 1.68.3 (expected: 1.77.0 or newer)" + ADVICE);
  }

  @Test
  void allThatAreTooOldAreInOneLine() throws IOException {
    Path core = jar("grpc-core-1.68.3.jar", "1.68.3", List.of("io/grpc/internal/GrpcUtil.class"));
    Path gson = jar("gson-2.8.9.jar", "2.8.9", List.of("com/google/gson/JsonElement.class"));

    assertThat(problemBehind(core, gson))
        .isEqualTo(
            "on the class path: io.grpc:grpc-core 1.68.3 (expected: 1.77.0 or newer);"
                + " com.google.code.gson:gson 2.8.9 (expected: 2.11.0 or newer)"
                + ADVICE);
  }

  /** A jar with everything in it has a manifest of its own, which must not be believed. */
  @Test
  void theManifestOfAnApplicationSaysNothingOfALibraryInIt() throws IOException {
    Path all = jar("application-0.1.jar", "0.1", List.of(GRPC_API));

    assertThat(problemBehind(all)).isNull();
  }

  @Test
  void aPomThatIsInAJarWithEverythingIsBelieved() throws IOException {
    Path all =
        jar(
            "application-9.9.jar",
            "9.9",
            List.of("com/google/gson/JsonElement.class"),
            Map.of("META-INF/maven/com.google.code.gson/gson/pom.properties", "version=2.8.9\n"));

    assertThat(problemBehind(all)).contains("com.google.code.gson:gson 2.8.9 (expected: 2.11.0");
  }

  @Test
  void aLibraryThatLacksWhatIsNeededIsNamedThoughNobodyKnowsItsVersion() throws IOException {
    Path bare = jar("application-0.1.jar", "0.1", List.of("com/google/protobuf/Message.class"));

    assertThat(LibraryCheck.problem(loader(List.of(bare), "protobuf-java-")))
        .contains(
            "com.google.protobuf:protobuf-java of an unknown version"
                + " (expected: 3.25, or 4.27 or newer)");
  }

  @Test
  void aMissingLibraryIsNamed() {
    assertThat(LibraryCheck.problem(loader(List.of(), "grpc-util-")))
        .isEqualTo(
            "on the class path: io.grpc:grpc-util is missing (expected: 1.77.0 or newer)" + ADVICE);
  }

  @Test
  void applicationsMayHaveAnotherTransport() {
    assertThat(LibraryCheck.problem(loader(List.of(), "grpc-netty-shaded-"))).isNull();
  }

  @Test
  void generatedCodeThatDoesNotLinkIsDescribedWithAllVersions() {
    ClassLoader without =
        new URLClassLoader(urls(List.of(), "none"), ClassLoader.getPlatformClassLoader()) {
          @Override
          protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.equals("com.google.protobuf.AbstractParser")) {
              throw new ClassNotFoundException(name);
            }
            return super.findClass(name);
          }
        };

    assertThat(LibraryCheck.problem(without))
        .startsWith(
            "the libraries on the class path do not fit together: java.lang.NoClassDefFoundError: ")
        .contains("; there are grpc-api 1.", "protobuf-java 3.25.", "gson 2.")
        .doesNotContain("\n");
  }

  @ParameterizedTest
  @CsvSource({
    "1.76.3, 1.77.0, true",
    "1.77.0, 1.77.0, false",
    "1.77, 1.77.0, false",
    "1.100.0, 1.77.0, false",
    "1.9.0, 1.77.0, true",
    "2.0.0, 1.77.0, false",
    "1.77.0-SNAPSHOT, 1.77.0, false",
    "1.76.0.redhat-00001, 1.77.0, true",
    "3.21.12, 3.25.0, true",
    "4.26.1, 3.25.0, false"
  })
  void versionsAreComparedByNumbers(String version, String other, boolean before) {
    assertThat(LibraryVersion.isBefore(version, other)).isEqualTo(before);
  }

  private static @Nullable String problemBehind(Path... jars) {
    return LibraryCheck.problem(loader(List.of(jars), "none"));
  }

  /** The class path of this test behind some jars, without the libraries of a name. */
  private static ClassLoader loader(List<Path> first, String without) {
    return new URLClassLoader(urls(first, without), ClassLoader.getPlatformClassLoader());
  }

  private static URL[] urls(List<Path> first, String without) {
    List<Path> all = new ArrayList<>(first);
    Pattern.compile(File.pathSeparator, Pattern.LITERAL)
        .splitAsStream(System.getProperty("java.class.path"))
        .map(Path::of)
        .filter(path -> !path.getFileName().toString().startsWith(without))
        .forEach(all::add);
    return all.stream().map(LibraryCheckTest::url).toArray(URL[]::new);
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Path jar(String name, String version, List<String> classes) throws IOException {
    return jar(name, version, classes, Map.of());
  }

  /** A jar with classes of this class path, which says that it is of another version. */
  private Path jar(String name, String version, List<String> classes, Map<String, String> texts)
      throws IOException {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    for (String each : classes) {
      try (InputStream in = getClass().getClassLoader().getResourceAsStream(each)) {
        entries.put(each, Objects.requireNonNull(in, each).readAllBytes());
      }
    }
    texts.forEach((path, text) -> entries.put(path, text.getBytes(UTF_8)));
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
    Path jar = directory.resolve(name);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        out.putNextEntry(new ZipEntry(entry.getKey()));
        out.write(entry.getValue());
        out.closeEntry();
      }
    }
    return jar;
  }
}
