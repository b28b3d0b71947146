// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The SHA-256 of what a value says: the same wherever it stands, however its names are ordered and
 * whichever format it was written in. Two numbers are the same if they are equal and both or
 * neither are whole as written ({@code 1.0} is {@code 1.00} but is not {@code 1}: a field may take
 * the one and refuse the other).
 *
 * <p>Each value is a tag and its content, with a length or a count before anything whose end is not
 * obvious, so that no two values have the same encoding. The encoding is durable: digests are
 * stored.
 */
public final class Digest {
  private final MessageDigest sha256;

  private Digest() {
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** The digest of a value, as 64 hexadecimal digits. */
  public static String of(Value value) {
    Digest digest = new Digest();
    digest.add(value);
    return HexFormat.of().formatHex(digest.sha256.digest());
  }

  private void add(Value value) {
    if (value instanceof Mapping mapping) {
      tag('m', mapping.fields().size());
      for (Map.Entry<String, Value> field : new TreeMap<>(mapping.fields()).entrySet()) {
        text('k', field.getKey());
        add(field.getValue());
      }
    } else if (value instanceof Sequence sequence) {
      tag('q', sequence.elements().size());
      sequence.elements().forEach(this::add);
    } else if (value instanceof Scalar scalar) {
      scalar(scalar.value());
    }
  }

  private void scalar(@Nullable Object value) {
    if (value == null) {
      tag('n', 0);
    } else if (value instanceof Boolean bool) {
      tag('b', bool ? 1 : 0);
    } else if (value instanceof Long whole) {
      text('i', whole.toString());
    } else if (value instanceof BigDecimal number) {
      text('d', number.stripTrailingZeros().toString());
    } else {
      text('s', value.toString());
    }
  }

  private void text(char tag, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    tag(tag, bytes.length);
    sha256.update(bytes);
  }

  private void tag(char tag, int count) {
    sha256.update(ByteBuffer.allocate(5).put((byte) tag).putInt(count).flip());
  }
}
