// SPDX-License-Identifier: Apache-2.0
/**
 * Fuzzing of everything that reads bytes from a server.
 *
 * <p>In an ordinary build each test runs over its seed corpus only, {@code
 * src/test/resources/.../XFuzzTestInputs/}: valid resources, broken ones, and every input that ever
 * found a bug. To really fuzz, one target at a time:
 *
 * <pre>
 *   JAZZER_FUZZ=1 ./mvnw -pl xds-resources test -Dtest=ClusterFuzzTest
 * </pre>
 *
 * It runs for as long as its {@code maxDuration} says, keeps what it learns in {@code
 * .cifuzz-corpus}, and puts an input that fails into the seed corpus, where it stays as a
 * regression test. {@link SeedCorpus} writes the seeds anew when the messages change.
 */
@NullMarked
package dev.holdfast.xds.resources.fuzz;

import org.jspecify.annotations.NullMarked;
