// SPDX-License-Identifier: Apache-2.0
/** The documentation as a test: where its links lead, and what its commands do. */
@NullMarked
package dev.holdfast.interop.docs;

import org.jspecify.annotations.NullMarked;
