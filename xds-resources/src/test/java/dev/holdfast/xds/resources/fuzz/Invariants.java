// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.base.Decoded;
import dev.holdfast.base.Problem;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.ResourceNames;
import dev.holdfast.xds.resources.decode.Decoding;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

/** What holds of every decoder, whatever the bytes. */
final class Invariants {
  /** Options under which as much as possible is looked at. */
  private static final DecodeOptions OPTIONS =
      DecodeOptions.defaults()
          .withTrustedServer(true)
          .withCertificateProviders(Set.of("id", "ca"))
          .withCustomLbPolicies(Set.of("acme.Lb"));

  /** A few problems may be found between two looks at the limit. */
  private static final int MAX_PROBLEMS = Decoding.MAX_PROBLEMS + 50;

  private static final int MAX_PROBLEM_LENGTH = 2_000;

  private Invariants() {}

  static <T> void check(byte[] data, BiFunction<ByteString, DecodeOptions, Decoded<T>> decoder) {
    ByteString bytes = ByteString.copyFrom(data);

    Decoded<T> decoded = decoder.apply(bytes, OPTIONS);

    String peeked = ResourceNames.peek(bytes);
    if (decoded.name() != null) {
      assertThat(decoded.name()).isNotEmpty();
      assertThat(peeked).isIn(decoded.name(), null);
    }
    List<Problem> problems = decoded.fold(valid -> List.of(), Decoded.Invalid::problems);
    assertThat(problems).hasSizeLessThanOrEqualTo(MAX_PROBLEMS);
    for (Problem problem : problems) {
      assertThat(problem.toString()).hasSizeLessThanOrEqualTo(MAX_PROBLEM_LENGTH);
    }
    assertThat(decoder.apply(bytes, OPTIONS)).isEqualTo(decoded);
  }
}
