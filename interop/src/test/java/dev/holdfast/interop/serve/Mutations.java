// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Spoils YAML, from single bytes to whole blocks; the same for the same seed. */
final class Mutations {
  /** What people and fuzzers write where something else belongs. */
  private static final List<String> VALUES =
      List.of(
          "null",
          "~",
          "\"\"",
          "-1",
          "0",
          "65536",
          "99999999999999999999",
          "1e99",
          ".nan",
          "true",
          "[]",
          "{}",
          "[[[[]]]]",
          "{a: {b: {c: d}}}",
          "\"*\"",
          "\"../../etc\"",
          "\"a/b%2Fc\"",
          "\"(abc\"",
          "\"%REQ(x)%\"",
          "\"%\"",
          "\"\\0\\x01\"",
          "\"ü 日本 😀\"",
          "-5s",
          "1h1h",
          "infinity",
          "!!int \"x\"",
          "&a [*a]",
          "*a",
          "\"" + "x".repeat(70_000) + "\"");

  private final Random random;

  Mutations(long seed) {
    this.random = new Random(seed);
  }

  /** The same text with one to four things wrong. */
  byte[] spoil(String text) {
    List<String> lines = new ArrayList<>(Arrays.asList(text.split("\n")));
    int structural = random.nextInt(4);
    for (int i = 0; i < structural; i++) {
      spoilLines(lines);
    }
    byte[] bytes = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    return structural == 0 || random.nextInt(4) == 0 ? spoilBytes(bytes) : bytes;
  }

  private void spoilLines(List<String> lines) {
    int at = random.nextInt(lines.size());
    int other = random.nextInt(lines.size());
    String line = lines.get(at);
    switch (random.nextInt(8)) {
      case 0 -> lines.set(at, "");
      case 1 -> lines.add(at, line);
      case 2 -> Collections.swap(lines, at, other);
      case 3 -> lines.set(at, "  " + line);
      case 4 -> lines.set(at, line.stripLeading());
      case 5 ->
          lines.addAll(at, List.copyOf(lines.subList(other, Math.min(lines.size(), other + 5))));
      case 6 -> lines.set(at, keyOf(line) + ": " + valueOf(lines.get(other)));
      default -> lines.set(at, keyOf(line) + ": " + VALUES.get(random.nextInt(VALUES.size())));
    }
  }

  private static String keyOf(String line) {
    int colon = line.indexOf(':');
    return colon < 0 ? line : line.substring(0, colon);
  }

  private static String valueOf(String line) {
    int colon = line.indexOf(':');
    return colon < 0 ? line : line.substring(colon + 1);
  }

  private byte[] spoilBytes(byte[] bytes) {
    int at = random.nextInt(bytes.length);
    int length = 1 + random.nextInt(20);
    int end = Math.min(bytes.length, at + length);
    byte[] noise = new byte[length];
    random.nextBytes(noise);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    switch (random.nextInt(5)) {
      case 0 -> out.write(bytes, 0, at); // cut off
      case 1 -> { // taken out
        out.write(bytes, 0, at);
        out.write(bytes, end, bytes.length - end);
      }
      case 2 -> { // put in
        out.write(bytes, 0, at);
        out.writeBytes(noise);
        out.write(bytes, at, bytes.length - at);
      }
      case 3 -> { // doubled
        out.write(bytes, 0, end);
        out.write(bytes, at, bytes.length - at);
      }
      default -> { // one bit
        out.writeBytes(bytes);
        byte[] flipped = out.toByteArray();
        flipped[at] ^= (byte) (1 << random.nextInt(8));
        return flipped;
      }
    }
    return out.toByteArray();
  }
}
