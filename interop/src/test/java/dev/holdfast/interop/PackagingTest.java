// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Main;
import dev.holdfast.cli.Shell;
import dev.holdfast.testkit.ManualTime;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What applications are given to build with: the BOM, the jars, and the examples. */
class PackagingTest {
  private static final Path ROOT = TestSources.repositoryRoot();

  /** Modules that are no library for others. */
  private static final Set<String> NO_LIBRARIES =
      Set.of("bom", "testkit", "cli", "demo", "benchmarks", "interop", "dist");

  /** Modules that make no jar, or one that is never deployed. */
  private static final Set<String> NO_JARS_FOR_OTHERS =
      Set.of("bom", "benchmarks", "interop", "dist");

  @Test
  void theBomListsEveryLibrary() throws IOException {
    TreeSet<String> libraries = new TreeSet<>(all(read("pom.xml"), "<module>([^<]+)</module>"));
    libraries.removeAll(NO_LIBRARIES);
    libraries.removeIf(module -> module.startsWith("examples/"));

    List<String> listed = all(read("bom/pom.xml"), "<artifactId>holdfast-([^<]+)</artifactId>");

    assertThat(listed.subList(1, listed.size())) // the first is its own
        .containsExactlyElementsOf(libraries);
  }

  @Test
  void allHaveTheVersionOfTheProject() throws IOException {
    String version = all(read("pom.xml"), "<version>([^<]+)</version>").get(0);

    assertThat(all(read("bom/pom.xml"), "<version>([^<$]+)</version>")).containsExactly(version);
    for (String example : List.of("grpc", "spring-boot")) {
      String pom = read("examples/" + example + "/pom.xml");
      assertThat(all(pom, "<version>([^<]+)</version>").get(0)).as(example).isEqualTo(version);
      assertThat(all(pom, "<holdfast.version>([^<]+)<")).as(example).containsExactly(version);
    }
  }

  @Test
  void examplesUseTheGrpcThatHoldfastIsBuiltWith() throws IOException {
    String root = read("pom.xml");
    for (String example : List.of("grpc", "spring-boot")) {
      String pom = read("examples/" + example + "/pom.xml");
      for (String name : List.of("grpc.version", "protobuf.version")) {
        assertThat(all(pom, "<" + name + ">([^<]+)<"))
            .as(example)
            .isEqualTo(all(root, "<" + name + ">([^<]+)<"));
      }
    }
  }

  /** Who imports the BOM gets the gRPC that all of this is tested with. */
  @Test
  void theBomHasTheGrpcThatHoldfastIsBuiltWith() throws IOException {
    String name = "<grpc.version>([^<]+)<";

    assertThat(all(read("bom/pom.xml"), name)).isEqualTo(all(read("pom.xml"), name));
  }

  /** On a module path, a name that the JDK makes up from a file's name would change with it. */
  @Test
  void everyJarHasTheNameOfItsPackages() throws IOException {
    for (String module : modules()) {
      List<String> name = all(read(module + "/pom.xml"), "<module.name>([^<]+)</module.name>");

      assertThat(name).as(module).hasSize(1);
      Path sources = ROOT.resolve(module + "/src/main/java");
      if (Files.isDirectory(sources)) { // all but that of generated code
        Path directory = sources.resolve(name.get(0).replace('.', '/'));
        try (Stream<Path> files = Files.walk(sources)) {
          assertThat(files.filter(Files::isRegularFile))
              .as(module)
              .allMatch(file -> file.startsWith(directory));
        }
      }
    }
  }

  /** There are none to look at if Maven was told to stop before it makes them. */
  @Test
  void theJarsFitOnOneModulePath() throws IOException {
    Map<String, String> owners = new TreeMap<>();
    for (Path jar : jarsOfTheClassPath()) {
      ModuleDescriptor module = ModuleFinder.of(jar).findAll().iterator().next().descriptor();

      assertThat(module.isAutomatic()).as("%s", jar).isTrue();
      String directory = ROOT.relativize(jar).getName(0).toString();
      assertThat(all(read(directory + "/pom.xml"), "<module.name>([^<]+)</module.name>"))
          .containsExactly(module.name());
      for (String name : module.packages()) {
        assertThat(owners.put(name, module.name())).as(name).isNull();
      }
    }
  }

  private static List<Path> jarsOfTheClassPath() {
    return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
        .splitAsStream(System.getProperty("java.class.path"))
        .map(Path::of)
        .filter(file -> file.startsWith(ROOT) && !ROOT.relativize(file).startsWith("examples"))
        .filter(file -> file.toString().endsWith(".jar"))
        .filter(file -> !file.toString().endsWith("-tests.jar")) // not for others
        .toList();
  }

  private static List<String> modules() throws IOException {
    return all(read("pom.xml"), "<module>([^<]+)</module>").stream()
        .filter(module -> !NO_JARS_FOR_OTHERS.contains(module) && !module.startsWith("examples/"))
        .toList();
  }

  @Test
  void theBootstrapOfTheEnvoyExampleIsTheOneThatIsPrinted() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Main.run(
        new Shell(
            new ByteArrayInputStream(new byte[0]),
            new PrintStream(out, false, UTF_8),
            new PrintStream(new ByteArrayOutputStream(), false, UTF_8),
            Map.of(),
            new ManualTime(),
            Shell.Terminal.none()),
        "bootstrap",
        "envoy",
        "--node",
        "edge-1",
        "--cluster",
        "edge");

    assertThat(withoutComments(read("examples/envoy/envoy.yaml")))
        .isEqualTo(withoutComments(out.toString(UTF_8)));
  }

  private static String withoutComments(String yaml) {
    return yaml.lines()
        .filter(line -> !line.startsWith("#"))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static List<String> all(String text, String regex) {
    return Pattern.compile(regex).matcher(text).results().map(match -> match.group(1)).toList();
  }

  private static String read(String file) throws IOException {
    return Files.readString(ROOT.resolve(file));
  }
}
