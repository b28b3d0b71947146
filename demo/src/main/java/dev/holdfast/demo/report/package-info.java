// SPDX-License-Identifier: Apache-2.0
/** What is told of the demo, while it goes on and when it is over. */
@NullMarked
package dev.holdfast.demo.report;

import org.jspecify.annotations.NullMarked;
