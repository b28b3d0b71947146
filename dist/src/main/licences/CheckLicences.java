// SPDX-License-Identifier: Apache-2.0

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fails the build if a library of others in the archive has a licence that nobody looked at, or one
 * that we do not pass on: compares the bill of materials, where each library has the licences that
 * its own pom names, with the list that people read. The build runs it as a source file, with the
 * libraries of the archive on the class path.
 *
 * <pre>CheckLicences.java sbom.cdx.json THIRD-PARTY.md</pre>
 */
final class CheckLicences {
  /** Licences that let us give the unchanged library away with a program under Apache-2.0. */
  private static final Set<String> ALLOWED =
      Set.of("Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "EPL-2.0", "MIT");

  /** What poms write that is no identifier of SPDX, after a look at the text. */
  private static final Map<String, String> NAMES = Map.of("Go License", "BSD-3-Clause");

  private static final String OURS = "dev.holdfast";

  private static final Pattern ROW =
      Pattern.compile("^\\| [\\w.-]+ \\| ([\\w.-]+:[\\w.-]+)[^|]* \\| ([^|,]+)[^|]* \\|$");

  private CheckLicences() {}

  public static void main(String[] arguments) throws Exception {
    Map<String, Set<String>> libraries = libraries(Path.of(arguments[0]));
    Map<String, Set<String>> listed = listed(Path.of(arguments[1]));
    List<String> problems = problems(libraries, listed);
    problems.forEach(problem -> System.err.println("licences: " + problem));
    if (!problems.isEmpty()) {
      System.exit(1);
    }
  }

  private static List<String> problems(
      Map<String, Set<String>> libraries, Map<String, Set<String>> listed) {
    List<String> problems = new ArrayList<>();
    libraries.forEach(
        (library, licences) -> {
          Set<String> written = listed.getOrDefault(library, Set.of());
          Set<String> usable = new TreeSet<>(licences);
          usable.retainAll(ALLOWED);
          if (licences.isEmpty()) {
            problems.add(library + ": its pom names no licence (expected: one that is allowed)");
          } else if (usable.isEmpty()) {
            problems.add(library + ": " + licences + " (expected: one of " + sorted(ALLOWED) + ")");
          } else if (written.isEmpty()) {
            problems.add(library + ": " + licences + " is not in THIRD-PARTY.md (expected: a row)");
          } else if (written.stream().noneMatch(usable::contains)) {
            problems.add(library + ": THIRD-PARTY.md has " + written + ", its pom " + licences);
          }
        });
    for (String row : listed.keySet()) {
      if (!libraries.containsKey(row)) {
        problems.add(row + ": in THIRD-PARTY.md and not in the archive (expected: no row)");
      }
    }
    return problems;
  }

  private static Map<String, Set<String>> libraries(Path bill) throws Exception {
    Map<String, Set<String>> libraries = new TreeMap<>();
    JsonObject root = JsonParser.parseString(Files.readString(bill)).getAsJsonObject();
    for (JsonElement element : root.getAsJsonArray("components")) {
      JsonObject component = element.getAsJsonObject();
      String group = component.get("group").getAsString();
      if (!group.equals(OURS)) {
        libraries.put(group + ":" + component.get("name").getAsString(), licences(component));
      }
    }
    return libraries;
  }

  private static Set<String> licences(JsonObject component) {
    Set<String> licences = new TreeSet<>();
    if (component.has("licenses")) {
      for (JsonElement element : component.getAsJsonArray("licenses")) {
        JsonObject choice = element.getAsJsonObject();
        if (choice.has("license")) {
          JsonObject licence = choice.getAsJsonObject("license");
          String name = licence.get(licence.has("id") ? "id" : "name").getAsString();
          licences.add(NAMES.getOrDefault(name, name));
        } else {
          licences.addAll(
              Arrays.asList(choice.get("expression").getAsString().split(" OR ", -1)));
        }
      }
    }
    return licences;
  }

  private static Map<String, Set<String>> listed(Path page) throws Exception {
    Map<String, Set<String>> listed = new TreeMap<>();
    for (String line : Files.readAllLines(page)) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        listed.put(
            row.group(1), new TreeSet<>(Arrays.asList(row.group(2).strip().split(" or ", -1))));
      }
    }
    return listed;
  }

  private static Set<String> sorted(Set<String> set) {
    return new TreeSet<>(set);
  }
}
