// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class SelectionTest {
  private static final ObjectKey A = new ObjectKey("Service", "ns", "a");
  private static final ObjectKey B = new ObjectKey("Service", "ns", "b");

  @Test
  void anObjectIsAtAGenerationOrAbsent() {
    Selection selection = Selection.empty().with(A, 3);

    assertThat(selection.generation(A)).hasValue(3);
    assertThat(selection.generation(B)).isEmpty();
    assertThat(selection.without(A)).isEqualTo(Selection.empty());
  }

  @Test
  void aChangeLeavesTheEarlierSelectionAsItWas() {
    Selection before = Selection.empty().with(A, 1);
    Selection after = before.with(A, 2).with(B, 1);

    assertThat(before.generation(A)).hasValue(1);
    assertThat(after.generations()).containsEntry(A, 2L).containsEntry(B, 1L);
  }

  @Test
  void generationsBeginAtOne() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Selection.empty().with(A, 0))
        .withMessageContaining("Service/ns/a: 0 (expected: from 1)");
  }

  @Test
  void keysAreOrderedByKindNamespaceName() {
    ObjectKey otherNamespace = new ObjectKey("Service", "a", "z");
    ObjectKey otherKind = new ObjectKey("HTTPProxy", "z", "z");

    assertThat(List.of(B, A, otherNamespace, otherKind).stream().sorted())
        .containsExactly(otherKind, otherNamespace, A, B);
  }
}
