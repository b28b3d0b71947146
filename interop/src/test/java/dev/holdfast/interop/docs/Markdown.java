// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** As much of Markdown as it takes to check what a document refers to. */
record Markdown(List<String> prose, List<String> code) {
  private static final Pattern INLINE_CODE = Pattern.compile("`[^`\n]*`");
  private static final Pattern LINK =
      Pattern.compile("\\]\\(([^)\\s]+)\\)|\\b(?:src|srcset|href)=\"([^\"\\s]+)\"");
  private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.*)$");

  /** Tells the lines of fenced blocks from all others. */
  static Markdown parse(String text) {
    List<String> prose = new ArrayList<>();
    List<String> code = new ArrayList<>();
    boolean fenced = false;
    for (String line : text.lines().toList()) {
      if (line.stripLeading().startsWith("```")) {
        fenced = !fenced;
      } else {
        (fenced ? code : prose).add(line);
      }
    }
    return new Markdown(prose, code);
  }

  /** What links and pictures point to, as it is written. */
  List<String> links() {
    String text = INLINE_CODE.matcher(String.join("\n", prose)).replaceAll("");
    return LINK.matcher(text)
        .results()
        .map(match -> match.group(1) == null ? match.group(2) : match.group(1))
        .toList();
  }

  /** The names by which headings can be linked to. */
  Set<String> anchors() {
    return prose.stream()
        .map(HEADING::matcher)
        .filter(matcher -> matcher.matches())
        .map(matcher -> anchor(matcher.group(1)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-');
  }

  /** The calls of a command in fenced blocks, with or without a prompt; each in words. */
  List<List<String>> calls(String command) {
    List<List<String>> calls = new ArrayList<>();
    for (String line : String.join("\n", code).replace("\\\n", " ").lines().toList()) {
      String call = line.strip().replaceFirst("^\\$ ", "");
      if (call.equals(command) || call.startsWith(command + " ")) {
        calls.add(words(call));
      }
    }
    return calls;
  }

  /** Splits as a shell does, up to what is no longer an argument of the first command. */
  static List<String> words(String call) {
    List<String> words = new ArrayList<>();
    for (String word : call.split(" +", -1)) {
      if (Set.of("|", ">", "<", "&", "&&", ";", "#").contains(word)) {
        break;
      }
      words.add(word.replaceAll("^(['\"])(.*)\\1$", "$2"));
    }
    return words;
  }
}
