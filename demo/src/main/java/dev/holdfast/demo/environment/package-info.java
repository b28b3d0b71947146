// SPDX-License-Identifier: Apache-2.0
/** Everything that runs while the demo does. */
@NullMarked
package dev.holdfast.demo.environment;

import org.jspecify.annotations.NullMarked;
