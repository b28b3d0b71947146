// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.decode;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.holdfast.base.Decoded;
import dev.holdfast.base.Problem;
import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.DecodeOptions;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The decoding of one resource: its options, its budget, and the frame that is always the same. */
public final class Decoding {
  /**
   * After so many problems the rest of a repeated field is not looked at. A resource of many
   * millions of broken two-byte entries must not become gigabytes of error text; nobody reads past
   * the first few anyway.
   */
  public static final int MAX_PROBLEMS = 1_000;

  private final DecodeOptions options;
  private final Regexes regexes = new Regexes();

  public Decoding(DecodeOptions options) {
    this.options = options;
  }

  public DecodeOptions options() {
    return options;
  }

  /** Compiles the regular expressions of this resource. */
  public Regexes regexes() {
    return regexes;
  }

  /** Whether to stop looking for more problems; asked once per element of a repeated field. */
  public static boolean full(Problems problems) {
    return problems.count() >= MAX_PROBLEMS;
  }

  /** How a message of type M becomes a T; null only if problems were reported. */
  @FunctionalInterface
  public interface Body<M, T> {
    @Nullable T decode(M message, Decoding decoding, Problems problems);
  }

  /** Where a message has its name. */
  public record NameField<M>(String field, Function<M, String> read) {}

  /** Parses the bytes of one resource, checks its name, and runs the decoder of its content. */
  public static <M extends Message, T> Decoded<T> resource(
      ByteString serialized,
      Parser<M> parser,
      NameField<M> nameField,
      DecodeOptions options,
      Body<M, T> body) {
    M message;
    try {
      message = parser.parseFrom(serialized);
    } catch (InvalidProtocolBufferException e) {
      return Decoded.invalid(null, List.of(undecodable(e)));
    }
    Problems problems = new Problems();
    String name = nameField.read().apply(message);
    if (name.isEmpty()) {
      problems.at(nameField.field()).required("not set (expected: the name of the resource)");
    }
    T value = body.decode(message, new Decoding(options), problems);
    if (value != null && !problems.any()) {
      return Decoded.valid(name, value);
    }
    if (full(problems)) {
      problems.invalid("more than " + MAX_PROBLEMS + " problems, of which the first are listed");
    }
    return Decoded.invalid(name.isEmpty() ? null : name, problems.list());
  }

  private static Problem undecodable(InvalidProtocolBufferException e) {
    return new Problem(
        "", Problem.Kind.UNDECODABLE, "not a message of the expected type: " + e.getMessage());
  }
}
