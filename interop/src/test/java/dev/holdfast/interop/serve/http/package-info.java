// SPDX-License-Identifier: Apache-2.0
/**
 * What each field of an HTTPProxy that concerns requests does in a real Envoy. The table of fields
 * and of the tests that show them is {@code fields.txt}, next to this package in the test
 * resources; {@link dev.holdfast.interop.serve.http.FieldCoverageTest} keeps it complete and true.
 */
@NullMarked
package dev.holdfast.interop.serve.http;

import org.jspecify.annotations.NullMarked;
