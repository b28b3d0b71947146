// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * One step of the state: a change, or generations.
 *
 * @param kind what the text is
 * @param historyBase the id of the last entry of the history before this step
 * @param text see {@link StateText}
 */
record StateRecord(Kind kind, long historyBase, String text) {
  /**
   * An object of a cluster may have 1 MiB in all, a request to etcd 1.5; a third goes to base64.
   */
  static final int PART_BYTES = 600_000;

  /** What a record holds. */
  enum Kind {
    CHANGE,
    GENERATIONS
  }

  /** The text, compressed and cut into parts that fit into one object each, as base64. */
  List<String> parts() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
      zip.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    byte[] all = bytes.toByteArray();
    List<String> parts = new ArrayList<>();
    for (int from = 0; from < all.length; from += PART_BYTES) {
      byte[] part = Arrays.copyOfRange(all, from, Math.min(all.length, from + PART_BYTES));
      parts.add(Base64.getEncoder().encodeToString(part));
    }
    return parts;
  }

  /**
   * The text of parts.
   *
   * @throws IOException if they are not what {@link #parts} gives
   */
  static String text(List<String> parts) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      for (String part : parts) {
        bytes.writeBytes(Base64.getDecoder().decode(part));
      }
    } catch (IllegalArgumentException e) {
      throw new IOException("not base64", e);
    }
    try (GZIPInputStream zip = new GZIPInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return new String(zip.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
