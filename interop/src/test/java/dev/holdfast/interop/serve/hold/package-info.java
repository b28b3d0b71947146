// SPDX-License-Identifier: Apache-2.0
/**
 * Bad configuration among good: stories of authors, told to a real Envoy under traffic and, where
 * nothing but a real one can tell, to that alone; else to the fake one as well.
 */
@NullMarked
package dev.holdfast.interop.serve.hold;

import org.jspecify.annotations.NullMarked;
