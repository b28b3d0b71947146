// SPDX-License-Identifier: Apache-2.0
/** The samples of the documentation: they compile, they run, and they are what is printed there. */
@NullMarked
package dev.holdfast.grpc.docs;

import org.jspecify.annotations.NullMarked;
