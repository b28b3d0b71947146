// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DigestTest {
  private static final Position HERE = new Position("a.yaml", 1, 1);
  private static final Position THERE = new Position("b.json", 7, 3);

  @Test
  void isTheSameWhereverAValueStands() {
    assertThat(Digest.of(new Sequence(List.of(new Scalar("x", HERE)), HERE)))
        .isEqualTo(Digest.of(new Sequence(List.of(new Scalar("x", THERE)), THERE)));
  }

  @Test
  void isTheSameInWhateverOrderNamesAreWritten() {
    Map<String, Value> one = new LinkedHashMap<>();
    one.put("a", scalar(1L));
    one.put("b", scalar(2L));
    Map<String, Value> other = new LinkedHashMap<>();
    other.put("b", scalar(2L));
    other.put("a", scalar(1L));

    assertThat(Digest.of(new Mapping(one, HERE))).isEqualTo(Digest.of(new Mapping(other, HERE)));
  }

  @Test
  void dependsOnTheOrderOfElements() {
    assertThat(Digest.of(sequence(scalar("a"), scalar("b"))))
        .isNotEqualTo(Digest.of(sequence(scalar("b"), scalar("a"))));
  }

  @Test
  void isTheSameForOneFractionWrittenInTwoWays() {
    assertThat(Digest.of(scalar(new BigDecimal("1.50"))))
        .isEqualTo(Digest.of(scalar(new BigDecimal("1.5"))));
  }

  @Test
  void tellsApartWhatOnlyLooksAlike() {
    List<Value> values = new ArrayList<>();
    values.add(scalar(null));
    values.add(scalar(""));
    values.add(scalar("null"));
    values.add(scalar("true"));
    values.add(scalar(true));
    values.add(scalar(false));
    values.add(scalar(1L));
    values.add(scalar("1"));
    values.add(scalar(new BigDecimal("1.0")));
    values.add(sequence());
    values.add(sequence(scalar("ab")));
    values.add(sequence(scalar("a"), scalar("b")));
    values.add(sequence(sequence(scalar("a")), scalar("b")));
    values.add(sequence(sequence(scalar("a"), scalar("b"))));
    values.add(new Mapping(Map.of(), HERE));
    values.add(new Mapping(Map.of("a", scalar("b")), HERE));
    values.add(new Mapping(Map.of("ab", scalar("")), HERE));

    assertThat(values.stream().map(Digest::of)).doesNotHaveDuplicates();
  }

  @Test
  void neverChangesBetweenReleasesBecauseItIsStored() {
    assertThat(
            Digest.of(
                new Mapping(
                    Map.of("a", sequence(scalar(1L), scalar(null), scalar("é"), scalar(true))),
                    HERE)))
        .isEqualTo("f1ebcc8254710578a48c36168369a70d13b5925e70f443fc5c3c86faf7590214");
  }

  private static Scalar scalar(@Nullable Object value) {
    return new Scalar(value, HERE);
  }

  private static Sequence sequence(Value... elements) {
    return new Sequence(List.of(elements), HERE);
  }
}
